import { mkdirSync } from "node:fs";
import type { NewDecision } from "../src/handover/decision.ts";
import { ProjectHandover } from "../src/handover/project-handover.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/uuid-v7.ts";
import type { Store } from "../src/storage/open-store.ts";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import { compare, interleave, medianOf, type Subject, subject } from "./measure.ts";

const short = 20;
/** A new short document takes the place of one that has grown so much. */
const mostShort = 60;
const works = {
  last: `show the last ${short} of`,
  draft: "draft a handover with",
  // Last, because it makes the document longer, and the session that the draft tells of.
  decide: "append a decision to",
} as const;
type Work = keyof typeof works;

/** Reading the end of a file reads as much as fits into its first block, which few entries do not fill. */
const bars: Readonly<Record<Work, number>> = { last: 2, draft: 1.2, decide: 1.2 };

/** What is done with a decisions.md of many entries, beside the same with one of few. */
export async function handover(bench: Bench): Promise<Outcome> {
  const { decisions: many, rounds } = bench.scale;
  // One store for both, so that both find its write-ahead log as full.
  const store = await bench.fixtures.emptyStore();
  const long = await openFilled(bench, store, many);
  const few = await openShort(bench, store);
  const count = many.toLocaleString("en");
  const measurements: Measurement[] = [];
  const milliseconds: Record<string, number> = {};
  for (const name of Object.keys(works) as readonly Work[]) {
    const subjects = [makeSubject(name, "long", async () => long), makeSubject(name, "short", few)];
    const times = await interleave(subjects, rounds / 8);
    const work = `${works[name]} ${count} decisions`;
    const limit = `the same with ${short}`;
    measurements.push({ work, limit, ...compare(times, "long", "short"), bar: bars[name] });
    milliseconds[work] = medianOf(times, "long");
  }
  return { measurements, milliseconds };
}

function makeSubject(
  name: Work,
  length: "long" | "short",
  open: () => Promise<ProjectHandover>,
): Subject<unknown> {
  let count = 0;
  const run: Readonly<Record<Work, (documents: ProjectHandover) => Promise<unknown>>> = {
    decide: (documents) => documents.decide(makeDecision(count)),
    last: (documents) => documents.decisions({ last: short }),
    // Two goals in turn: each draft has something to write, and the document stays as long as it is.
    draft: (documents) => documents.draft({ goal: count % 2 === 0 ? "Ship" : "Mend" }),
  };
  return subject({
    name: length,
    prepare: () => {
      count += 1;
      return open();
    },
    work: run[name],
  });
}

/** Returns what gives a handover with few decisions. */
async function openShort(bench: Bench, store: Store): Promise<() => Promise<ProjectHandover>> {
  let current = await openFilled(bench, store, short);
  return async () => {
    const { length } = await current.decisions({ last: mostShort });
    if (length >= mostShort) current = await openFilled(bench, store, short);
    return current;
  };
}

/** Makes a project with so many decisions, the last few of which are of a session that goes on. */
async function openFilled(bench: Bench, store: Store, length: number): Promise<ProjectHandover> {
  const root = bench.fixtures.newPath("project");
  mkdirSync(root);
  const project = await store.projects.recognise({ identities: [`path:${root}`], name: "project" });
  const place = { root, sddDir: ".sdd" };
  const author = { machine: "here", clock: systemClock, random: systemRandom };
  const outsideGit = { git: undefined, home: bench.fixtures.newPath("home") };
  const documents = new ProjectHandover({ log: store.log, project, root, ...author }, place, outsideGit);
  for (let number = 1; number <= length; number += 1) {
    const isStart = (length - number) % short === short / 2;
    await documents.decide({ ...makeDecision(number), ...(isStart && { type: "SESSION_START" }) });
  }
  return documents;
}

function makeDecision(number: number): NewDecision {
  return {
    type: "USER_DECISION",
    summary: `Keep the ${number}th kind of event in a table of its own`,
    context: "The reports read one kind at a time, and the table of all kinds has grown slow.",
    decision: "One table for each kind, and a view over all of them for what is left.",
    reason: "A report then reads what it shows and nothing else.",
    impact: "A migration, and two queries that join the tables.",
    source: "user",
  };
}
