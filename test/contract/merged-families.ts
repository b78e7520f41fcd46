import fc from "fast-check";
import { expect, it } from "vitest";
import { compareSessions } from "../../src/sessions/compare-sessions.ts";
import { contentText } from "../../src/sessions/diff/content-key.ts";
import type { Entry, NewEntry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { isMergeNote, mergedId } from "../../src/sessions/merged-id.ts";
import { anyNewEntry, collect, newFork, newSession } from "../support/entries.ts";
import { sessionOf } from "./comparing.ts";
import { merge } from "./merging.ts";
import { openWithSession, type TestLog } from "./test-log.ts";

/** What holds of any two sessions, forks and forks of forks, whatever was merged before; each run opens a store. */
export function mergedFamiliesContract(open: () => Promise<TestLog>, numRuns: number): void {
  it("loses nothing of either, changes no entry, verifies, and adds nothing the second time", async () => {
    await fc.assert(
      fc.asyncProperty(anyFamily, async (steps) => {
        await using test = await openWithSession(open);
        const names = await grow(test, steps);
        await expectMerged(test, names.at(-1) ?? "one", names.at(-2) ?? "two");
      }),
      { numRuns },
    );
  });
}

async function expectMerged(test: TestLog, into: string, from: string): Promise<void> {
  const [before, theirs] = await Promise.all([readAll(test, into), readAll(test, from)]);
  await merge(test, into, from);
  const after = await readAll(test, into);
  expect(after.slice(0, before.length)).toEqual(before);
  for (const entry of theirs.filter(({ id }) => !isMergeNote(id))) expectKept(entry, after);
  const verified = await test.log.verify(parseSessionId(into));
  expect(verified).toMatchObject({ entries: after.length, problem: null });
  await merge(test, into, from);
  expect(await readAll(test, into)).toEqual(after);
  await expectOnlyTheirs(test, { into, before, after });
}

/** An entry is there as it was, or as it was brought: with its time, and what it says. */
function expectKept(entry: Entry, after: readonly Entry[]): void {
  const same = after.find(({ id }) => id === entry.id);
  if (same !== undefined && contentText(same) === contentText(entry)) return;
  const isHere = (each: Entry) => mergedId(each) === mergedId(entry);
  const brought = after.find(isHere);
  expect(brought).toMatchObject({ at: entry.at, strand: entry.strand, kind: entry.kind });
  if (brought?.kind === "message" && entry.kind === "message") expect(brought.parts).toEqual(entry.parts);
}

interface Outcome {
  readonly into: string;
  readonly before: readonly Entry[];
  readonly after: readonly Entry[];
}

/** What was there before and what is there now differ by what was brought, and by nothing else. */
async function expectOnlyTheirs({ log }: TestLog, { into, before, after }: Outcome): Promise<void> {
  const at = before.at(-1)?.id;
  if (at === undefined) return;
  await log.fork({ ...newFork("before", into), at });
  const [left, right] = [await sessionOf(log, "before"), await sessionOf(log, into)];
  const diff = await compareSessions(log, { session: left }, { session: right });
  const brought = after.slice(before.length).filter(({ id }) => !isMergeNote(id));
  expect(diff.left.own.entries).toBe(0);
  expect(diff.right.own.entries).toBe(brought.length);
}

async function readAll({ log }: TestLog, id: string): Promise<readonly Entry[]> {
  return collect(log.read(parseSessionId(id)));
}

type Step =
  | { readonly type: "fork"; readonly of: number; readonly at: number }
  | { readonly type: "merge"; readonly into: number; readonly from: number }
  | { readonly type: "say"; readonly to: number; readonly rewind: number; readonly entry: NewEntry };

const place = fc.nat(20);
const anyFamily = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ type: fc.constant("fork" as const), of: place, at: place }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("merge" as const), into: place, from: place }) },
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant("say" as const),
        to: place,
        rewind: place,
        entry: anyNewEntry,
      }),
    },
  ),
  { minLength: 4, maxLength: 14 },
);

/** Makes a family of sessions step by step, and returns their names; the first two are there from the start. */
async function grow(test: TestLog, steps: readonly Step[]): Promise<readonly string[]> {
  const { log, project } = test;
  await log.open(newSession("two", project));
  const names = ["one", "two"];
  const pick = (number: number) => names[number % names.length] ?? "one";
  for (const step of steps) {
    if (step.type === "merge" && pick(step.into) !== pick(step.from))
      await merge(test, pick(step.into), pick(step.from));
    if (step.type === "say") await say(test, pick(step.to), step.entry, step.rewind);
    if (step.type === "fork") await forkAt(test, names, pick(step.of), step.at);
  }
  return names;
}

async function forkAt(test: TestLog, names: string[], origin: string, at: number): Promise<void> {
  const entries = await readAll(test, origin);
  const entry = entries[at % Math.max(1, entries.length)];
  if (entry === undefined) return;
  const name = `fork-${names.length}`;
  await test.log.fork({ ...newFork(name, origin), at: entry.id });
  names.push(name);
}

/** Appends an entry, now and then behind an earlier one. */
async function say(test: TestLog, name: string, entry: NewEntry, rewind: number): Promise<void> {
  const parent = (await readAll(test, name))[rewind]?.id;
  const isRewind = rewind % 5 === 0 && parent !== undefined;
  await test.log.append(parseSessionId(name), [isRewind ? { ...entry, parent } : entry]);
}
