import fc from "fast-check";
import { expect } from "vitest";
import { describingEvents } from "../../src/sessions/describing-events.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { anyStep, anyStepOrDescription, Course, type CourseStore } from "./course.ts";
import { collect, idsOf } from "./entries.ts";

/** What a store has of a session. */
interface Chain {
  readonly knownAs: string;
  readonly head: string | null;
  readonly entries: string;
}

/**
 * Lets stores be written, deleted, forked, brought together and cut off at random; in the end all have the same chains,
 * but for those that a store keeps as its own although they were deleted elsewhere. No store loses what was written in it
 * by what others delete.
 */
export async function converge(
  stores: readonly CourseStore[],
  { runs }: { readonly runs: number },
): Promise<void> {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 24 }), async (steps) => {
      run += 1;
      const course = new Course(stores, `r${run}x`);
      for (const each of steps) await course.take(each);
      await course.settle();
      const [first = [], ...others] = await Promise.all(stores.map((store) => chainsIn(course, store)));
      for (const other of others) expect(other).toEqual(first);
      // Each way that a session went is there once.
      const isBeginning = (one: Chain) =>
        first.some(
          (each) => each !== one && each.knownAs === one.knownAs && each.entries.startsWith(one.entries),
        );
      expect(first.filter(isBeginning)).toEqual([]);
      const there = first.map(({ entries }) => entries).join("");
      expect(findLost(course, there)).toEqual([]);
      for (const { head } of first) expect(course.deletedHeads).not.toContain(head);
      for (const store of stores) expect(await course.findTaken(store)).toEqual([]);
    }),
    { numRuns: runs },
  );
}

/** Returns the chains of the living sessions of a store, by the ids of their entries. */
async function chainsIn(course: Course, store: CourseStore): Promise<readonly Chain[]> {
  const chains: Chain[] = [];
  for (const { session, knownAs, head } of await course.heads(store)) {
    const ids = idsOf(await collect(store.log.read(session)));
    chains.push({ knownAs, head, entries: `${ids.join()},` });
  }
  return chains.toSorted((one, other) => (String(one.head) < String(other.head) ? -1 : 1));
}

/** Does the same with titles and tags; in the end all stores tell the same of every session. */
export async function convergeDescribed(
  stores: readonly CourseStore[],
  { runs }: { readonly runs: number },
): Promise<void> {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStepOrDescription, { minLength: 4, maxLength: 24 }), async (steps) => {
      run += 1;
      const course = new Course(stores, `d${run}x`);
      for (const each of steps) await course.take(each);
      await checkAgreement(course, stores);
    }),
    { numRuns: runs },
  );
}

/** Brings stores together and checks that they tell the same of every session, and that nothing is lost. */
export async function checkAgreement(course: Course, stores: readonly CourseStore[]): Promise<void> {
  await course.settle();
  const [first = [], ...others] = await Promise.all(stores.map((store) => tell(course, store)));
  for (const other of others) expect(other).toEqual(first);
  const isBeginning = (one: Told) =>
    first.some((each) => each !== one && each.knownAs === one.knownAs && each.work.startsWith(one.work));
  expect(first.filter(isBeginning)).toEqual([]);
  const there = first.flatMap(({ work, descriptions }) => [work, ...descriptions, ""]).join();
  expect(findLost(course, there)).toEqual([]);
  for (const store of stores) expect(await course.findTaken(store)).toEqual([]);
}

function findLost({ written, deleted }: Course, there: string): readonly string[] {
  return [...written].filter((id) => !deleted.has(id) && !there.includes(`${id},`));
}

/** What a store tells of a session, whatever it is called there. */
interface Told {
  readonly knownAs: string;
  /** The work in it, in its order. */
  readonly work: string;
  /** The titles, tags and stops that it knows of; their order is of no account. */
  readonly descriptions: readonly string[];
  readonly title: string;
  readonly tags: readonly string[];
  readonly status: string;
}

async function tell(course: Course, store: CourseStore): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const { session, knownAs } of await course.heads(store)) {
    const entries = await collect(store.log.read(session));
    const [listed] = (await store.log.list({ id: session })).sessions;
    const { title = "", tags = [], status = "" } = listed ?? {};
    const work = entries.filter((entry) => !describes(entry));
    told.push({
      ...{ knownAs, title, tags, status },
      work: `${idsOf(work).join()},`,
      descriptions: idsOf(entries.filter(describes)).toSorted(),
    });
  }
  return told.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function describes(entry: Entry): boolean {
  return entry.kind === "event" && describingEvents.has(entry.event);
}
