import fc from "fast-check";
import { expect } from "vitest";
import { parseEntryId, parseSessionId, type SessionId } from "../../src/sessions/ids.ts";
import type { ProjectId } from "../../src/sessions/project.ts";
import type { ReplicaHead } from "../../src/sessions/replica.ts";
import { tagged, titled } from "../../src/sessions/session-events.ts";
import type { ExchangeOutcome, ExchangeReport } from "../../src/share/exchange-report.ts";
import type { TestLog } from "../contract/test-log.ts";
import { bring, Cut, cutAfter } from "./bring.ts";
import { collect, idsOf, later, newFork, newSession, said } from "./entries.ts";

/** One thing that happens in a store, or between two. */
export type Step =
  | {
      readonly do: "append" | "delete" | "fork" | "describe";
      readonly at: number;
      readonly which: number;
      readonly count: number;
    }
  | { readonly do: "bring" | "cut"; readonly at: number; readonly to: number; readonly after: number };

const anyStore = fc.nat({ max: 2 });
const steps = [
  { weight: 6, arbitrary: step(fc.constant("append" as const)) },
  { weight: 2, arbitrary: step(fc.constantFrom("delete" as const, "fork" as const)) },
  { weight: 5, arbitrary: carrying(fc.constant("bring" as const)) },
  { weight: 1, arbitrary: carrying(fc.constant("cut" as const)) },
];

/** Any work, exchange and interruption in one of three stores. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(...steps);

/** The same, and titles and tags. */
export const anyStepOrDescription: fc.Arbitrary<Step> = fc.oneof(...steps, {
  weight: 4,
  arbitrary: step(fc.constant("describe" as const)),
});

type Writing = Extract<Step, { which: number }>;

function step<Do extends Writing["do"]>(what: fc.Arbitrary<Do>) {
  return fc.record({
    do: what,
    at: anyStore,
    which: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 4 }),
  });
}

function carrying<Do extends "bring" | "cut">(what: fc.Arbitrary<Do>) {
  return fc.record({ do: what, at: anyStore, to: anyStore, after: fc.nat({ max: 3 }) });
}

/** What says of a session that it stays as it is. */
const unchanged: ReadonlySet<ExchangeOutcome> = new Set(["kept", "spared", "gone", "withheld"]);

/** What of a store takes part. */
export type CourseStore = Pick<TestLog, "log" | "replica" | "projects">;

/** What was written and deleted in the course of a run. */
export class Course {
  readonly #stores: readonly CourseStore[];
  readonly #run: string;
  readonly written = new Set<string>();
  /** Entries that were in a session when somebody deleted it. */
  readonly deleted = new Set<string>();
  readonly deletedHeads = new Set<string>();
  /** Of each store, the sessions that were deleted elsewhere and that it keeps as its own. */
  readonly #spared = new Map<CourseStore, Set<SessionId>>();
  /** Of each store, the entries that were written there, and not deleted there since. */
  readonly #own = new Map<CourseStore, Set<string>>();
  #count = 0;

  constructor(stores: readonly CourseStore[], run: string) {
    this.#stores = stores;
    this.#run = run;
    for (const store of stores) this.#own.set(store, new Set());
  }

  async take(step: Step): Promise<void> {
    const store = this.#store(step.at);
    if (step.do === "bring") await this.#bring(store, this.#store(step.to), `m${step.at}`);
    else if (step.do === "cut") await this.#cut(store, step);
    else if (step.do === "append") await this.#append(store, step);
    else if (step.do === "fork") await this.#fork(store, step);
    else if (step.do === "delete") await this.#delete(store, step);
    else if (step.do === "describe") await this.#describe(store, step);
  }

  #store(at: number): CourseStore {
    const store = this.#stores[at];
    if (store === undefined) throw new Error(`There is no store ${at}.`);
    return store;
  }

  async #cut(store: CourseStore, { at, to, after }: Extract<Step, { do: "bring" | "cut" }>): Promise<void> {
    const target = {
      replica: cutAfter(this.#store(to).replica, after, after % 2 === 0 ? "before" : "at-end"),
    };
    await this.#bring(store, target, `m${at}`).catch((error: unknown) => {
      if (!(error instanceof Cut)) throw error;
    });
  }

  /** What other runs left behind is of no account. */
  #bring(from: CourseStore, to: Pick<TestLog, "replica">, machine: string): Promise<ExchangeReport> {
    return bring(from, to, { machine, batch: 2, query: { project: this.#project } });
  }

  get #project(): ProjectId {
    return `path:/${this.#run}` as ProjectId;
  }

  async #append(store: CourseStore, { which, count }: Writing): Promise<void> {
    const session = (await this.#pick(store, which)) ?? (await this.#open(store, which));
    if (session === undefined) return;
    const entries = Array.from({ length: count }, () => {
      this.#count += 1;
      return said(`${this.#run}e${this.#count}`, `text ${this.#count}`);
    });
    await store.log.append(session, entries);
    for (const { id } of entries) this.#note(store, id);
  }

  #note(store: CourseStore, id: string): void {
    this.written.add(id);
    this.#own.get(store)?.add(id);
  }

  /** Two stores may make sessions of the same id that have nothing else in common. */
  async #open(store: CourseStore, which: number): Promise<SessionId | undefined> {
    const id = parseSessionId(`${this.#run}s${which % 2}`);
    if ((await store.replica.find(id)) !== undefined) return undefined;
    this.#count += 1;
    const project = await store.projects.recognise({ identities: [this.#project], name: this.#run });
    await store.log.open(newSession(id, project.id, { startedAt: later(this.#count) }));
    return id;
  }

  async #fork(store: CourseStore, { which }: Writing): Promise<void> {
    const from = await this.#pick(store, which);
    const [first] = from === undefined ? [] : await collect(store.log.read(from));
    if (from === undefined || first === undefined) return;
    this.#count += 1;
    const id = `${this.#run}f${this.#count}`;
    await store.log.fork({ ...newFork(id, from), at: first.id });
    await store.log.append(parseSessionId(id), [said(`${id}e`, "in the fork")]);
    this.#note(store, `${id}e`);
  }

  async #describe(store: CourseStore, { which, count }: Writing): Promise<void> {
    const session = await this.#pick(store, which);
    if (session === undefined) return;
    this.#count += 1;
    // Now and then two are given at the same moment.
    const [id, at] = [parseEntryId(`${this.#run}d${this.#count}`), later(this.#count >> 1)];
    const event = count > 2 ? tagged(id, at, { add: [`tag${count}`] }) : titled(id, at, `title ${id}`);
    await store.log.append(session, [event]);
    this.#note(store, id);
  }

  async #delete(store: CourseStore, { which }: Writing): Promise<void> {
    const session = await this.#pick(store, which);
    if (session === undefined) return;
    for (const id of idsOf(await collect(store.log.read(session)))) {
      this.deleted.add(id);
      this.#own.get(store)?.delete(id);
    }
    const known = await store.replica.find(session);
    if (known?.type === "there" && known.session.head !== null) this.deletedHeads.add(known.session.head);
    await store.log.delete(session, later(50));
  }

  async #pick(store: CourseStore, which: number): Promise<SessionId | undefined> {
    const ids = await this.living(store);
    return ids.length === 0 ? undefined : ids[which % (ids.length + 1)];
  }

  async living(store: CourseStore): Promise<readonly SessionId[]> {
    const { sessions } = await store.log.list({ project: this.#project, limit: 500 });
    return sessions.map(({ id }) => id).toSorted();
  }

  /** Brings all stores together until nothing changes any more. */
  async settle(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      let changes = 0;
      this.#spared.clear();
      for (const [at, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
        [1, 0],
        [2, 1],
        [0, 2],
      ] as const) {
        const report = await this.#bring(this.#store(at), this.#store(to), `m${at}`);
        changes += report.changes.filter(({ type }) => !unchanged.has(type)).length;
        const spared = report.changes.filter(({ type }) => type === "spared");
        this.#keepSpared(this.#store(to), spared);
      }
      if (changes === 0) return;
    }
    throw new Error("The stores do not come to rest.");
  }

  #keepSpared(store: CourseStore, changes: ExchangeReport["changes"]): void {
    const spared = this.#spared.get(store) ?? new Set();
    for (const { session } of changes) spared.add(session);
    this.#spared.set(store, spared);
  }

  /** Returns what was written in a store, is not there any more, and was deleted by others alone. */
  async findTaken(store: CourseStore): Promise<readonly string[]> {
    const own = new Set(this.#own.get(store));
    for (const session of await this.living(store))
      for (const id of idsOf(await collect(store.log.read(session)))) own.delete(id);
    return [...own];
  }

  /** Returns where the living sessions of a store stand, without those that only it keeps; each is whole. */
  async heads(store: CourseStore): Promise<readonly ReplicaHead[]> {
    const heads = (await Array.fromAsync(store.replica.heads({ project: this.#project }))).flat();
    const own = heads.filter(({ deletedAt }) => deletedAt === null);
    for (const { session } of own) expect(await store.log.verify(session)).toMatchObject({ problem: null });
    const spared = this.#spared.get(store);
    return own.filter(({ session, entries }) => entries > 0 && !spared?.has(session));
  }
}
