import fc from "fast-check";
import { expect, it } from "vitest";
import { parseEntryId, parseSessionId, type SessionId } from "../../../src/conversation/ids.ts";
import type { TestLog } from "../../contract/test-log.ts";
import { bring, Cut, cutAfter } from "../../support/bring.ts";
import { collect, idsOf, later, newFork, newSession, said } from "../../support/entries.ts";
import { openPostgresTestLog } from "../../support/postgres-test-log.ts";
import { openSqliteTestLog } from "../../support/test-log.ts";

type Step =
  | {
      readonly do: "append" | "delete" | "fork";
      readonly at: number;
      readonly which: number;
      readonly count: number;
    }
  | { readonly do: "bring" | "cut"; readonly at: number; readonly to: number; readonly after: number };

const anyStore = fc.nat({ max: 2 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: step(fc.constant("append" as const)) },
  { weight: 2, arbitrary: step(fc.constantFrom("delete" as const, "fork" as const)) },
  { weight: 5, arbitrary: carrying(fc.constant("bring" as const)) },
  { weight: 1, arbitrary: carrying(fc.constant("cut" as const)) },
);

type Writing = Extract<Step, { do: "append" | "delete" | "fork" }>;

function step<Do extends "append" | "delete" | "fork">(what: fc.Arbitrary<Do>) {
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

/** What was written and deleted in the course of a run. */
class Course {
  readonly #stores: readonly TestLog[];
  readonly #run: string;
  readonly written = new Set<string>();
  /** Entries that were in a session when somebody deleted it. */
  readonly deleted = new Set<string>();
  readonly deletedHeads = new Set<string>();
  #count = 0;

  constructor(stores: readonly TestLog[], run: string) {
    this.#stores = stores;
    this.#run = run;
  }

  async take(step: Step): Promise<void> {
    const store = this.#store(step.at);
    if (step.do === "bring") await bring(store, this.#store(step.to), { machine: `m${step.at}`, batch: 2 });
    else if (step.do === "cut") await this.#cut(store, step);
    else if (step.do === "append") await this.#append(store, step);
    else if (step.do === "fork") await this.#fork(store, step);
    else if (step.do === "delete") await this.#delete(store, step);
  }

  #store(at: number): TestLog {
    const store = this.#stores[at];
    if (store === undefined) throw new Error(`There is no store ${at}.`);
    return store;
  }

  async #cut(store: TestLog, { at, to, after }: Extract<Step, { do: "bring" | "cut" }>): Promise<void> {
    const target = {
      replica: cutAfter(this.#store(to).replica, after, after % 2 === 0 ? "before" : "at-end"),
    };
    await bring(store, target, { machine: `m${at}`, batch: 2 }).catch((error: unknown) => {
      if (!(error instanceof Cut)) throw error;
    });
  }

  async #append(store: TestLog, { which, count }: Writing): Promise<void> {
    const session = (await this.#pick(store, which)) ?? (await this.#open(store, which));
    if (session === undefined) return;
    const entries = Array.from({ length: count }, () => {
      this.#count += 1;
      return said(`${this.#run}e${this.#count}`, `text ${this.#count}`);
    });
    await store.log.append(session, entries);
    for (const { id } of entries) this.written.add(id);
  }

  /** Two stores may make sessions of the same id that have nothing else in common. */
  async #open(store: TestLog, which: number): Promise<SessionId | undefined> {
    const id = parseSessionId(`${this.#run}s${which % 2}`);
    if ((await store.replica.find(id)) !== undefined) return undefined;
    this.#count += 1;
    await store.log.open(newSession(id, store.project, { startedAt: later(this.#count) }));
    return id;
  }

  async #fork(store: TestLog, { which }: Writing): Promise<void> {
    const from = await this.#pick(store, which);
    const [first] = from === undefined ? [] : await collect(store.log.read(from));
    if (from === undefined || first === undefined) return;
    this.#count += 1;
    const id = `${this.#run}f${this.#count}`;
    await store.log.fork({ ...newFork(id, from), at: first.id });
    await store.log.append(parseSessionId(id), [said(`${id}e`, "in the fork")]);
    this.written.add(parseEntryId(`${id}e`));
  }

  async #delete(store: TestLog, { which }: Writing): Promise<void> {
    const session = await this.#pick(store, which);
    if (session === undefined) return;
    for (const id of idsOf(await collect(store.log.read(session)))) this.deleted.add(id);
    const known = await store.replica.find(session);
    if (known?.type === "there" && known.session.head !== null) this.deletedHeads.add(known.session.head);
    await store.log.delete(session, later(50));
  }

  async #pick(store: TestLog, which: number): Promise<SessionId | undefined> {
    const ids = await this.living(store);
    return ids.length === 0 ? undefined : ids[which % (ids.length + 1)];
  }

  async living(store: TestLog): Promise<readonly SessionId[]> {
    const { sessions } = await store.log.list({ idPrefix: this.#run, limit: 500 });
    return sessions.map(({ id }) => id).toSorted();
  }

  /** Brings all stores together until nothing changes any more. */
  async settle(): Promise<void> {
    for (let round = 0; round < 6; round += 1) {
      let changes = 0;
      for (const [at, to] of [
        [0, 1],
        [1, 2],
        [2, 0],
        [1, 0],
        [2, 1],
        [0, 2],
      ] as const) {
        const report = await bring(this.#store(at), this.#store(to), { machine: `m${at}` });
        changes += report.changes.filter(({ type }) => type !== "kept" && type !== "gone").length;
      }
      if (changes === 0) return;
    }
    throw new Error("The stores do not come to rest.");
  }

  /** Returns the chains of the living sessions of a store, by the ids of their entries. */
  async chains(store: TestLog): Promise<readonly Chain[]> {
    const heads = (await Array.fromAsync(store.replica.heads())).flat();
    const own = heads.filter(({ knownAs, deletedAt }) => knownAs.startsWith(this.#run) && deletedAt === null);
    const chains: Chain[] = [];
    for (const { session, knownAs, head, entries } of own) {
      expect(await store.log.verify(session)).toMatchObject({ problem: null });
      const ids = idsOf(await collect(store.log.read(session)));
      if (entries > 0) chains.push({ knownAs, head, entries: `${ids.join()},` });
    }
    return chains.toSorted((one, other) => (String(one.head) < String(other.head) ? -1 : 1));
  }
}

/** What a store has of a session. */
interface Chain {
  readonly knownAs: string;
  readonly head: string | null;
  readonly entries: string;
}

async function converge(stores: readonly TestLog[], { runs }: { readonly runs: number }): Promise<void> {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 24 }), async (steps) => {
      run += 1;
      const course = new Course(stores, `r${run}x`);
      for (const each of steps) await course.take(each);
      await course.settle();
      const [first = [], ...others] = await Promise.all(stores.map((store) => course.chains(store)));
      for (const other of others) expect(other).toEqual(first);
      // Each way that a session went is there once.
      const isBeginning = (one: Chain) =>
        first.some(
          (each) => each !== one && each.knownAs === one.knownAs && each.entries.startsWith(one.entries),
        );
      expect(first.filter(isBeginning)).toEqual([]);
      const there = first.map(({ entries }) => entries).join("");
      for (const id of course.written) if (!course.deleted.has(id)) expect(there).toContain(`${id},`);
      for (const { head } of first) expect(course.deletedHeads).not.toContain(head);
    }),
    { numRuns: runs },
  );
}

it("three stores come to have the same entries, however they were written, deleted, forked, brought together and cut off", async () => {
  await using one = await openSqliteTestLog();
  await using two = await openSqliteTestLog();
  await using three = await openSqliteTestLog();
  await converge([one, two, three], { runs: 100 });
});

it("so do two on SQLite and one on PostgreSQL", async () => {
  await using one = await openSqliteTestLog();
  await using server = await openPostgresTestLog();
  await using two = await openSqliteTestLog();
  await converge([one, server, two], { runs: 10 });
});
