import * as z from "zod";
import { isDeeperThan } from "../../lib/json.ts";
import { type Entry, type JsonObject, maxDepth, type NewEntry, runEvents } from "../../sessions/entry.ts";
import { BadImport } from "../bad-import.ts";

/** The version of the form that is written; others of the same first number are read. */
export const stateVersion = "1.0.0";

const response = z.looseObject({
  thinking: z.string(),
  instruction: z.string(),
  workerModel: z.string(),
  shouldContinue: z.boolean(),
  needsCorrection: z.boolean(),
});
const count = z.int().nonnegative();
const rounds = count.nullable();

/** A finished round, and how many messages each history had by its end. */
const round = z.looseObject({
  number: z.int().positive(),
  at: z.iso.datetime({ offset: true }),
  instructor: count,
  worker: count,
  data: z.record(z.string(), z.unknown()),
});

/** SessionState of claude-master; without a limit the rounds are null. */
export const sessionStateSchema = z.looseObject({
  sessionId: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  lastUpdatedAt: z.iso.datetime({ offset: true }),
  version: z.string().regex(/^1\./, "is not one that this Carryon knows: 1.x"),
  config: z.looseObject({
    instructorModel: z.string(),
    workerModel: z.string(),
    // The original leaves out what was not given.
    maxRounds: rounds.default(null),
    useThinking: z.boolean().default(true),
    workDir: z.string(),
  }),
  currentRound: count,
  remainingRounds: rounds,
  instructor: z.looseObject({ conversationHistory: z.array(z.unknown()), systemPrompt: z.string() }),
  worker: z.looseObject({
    conversationHistory: z.array(z.unknown()),
    /** The calls without a result that were not begun. The original has no such field, and takes no notice of it. */
    waitingCalls: z.array(z.string()).optional(),
  }),
  lastInstruction: z.string(),
  lastInstructorResponse: response.nullable(),
  /** All rounds, where they are known. The original has no such field, and takes no notice of it. */
  rounds: z.array(round).optional(),
});

export type SessionState = z.infer<typeof sessionStateSchema>;

type WrittenRound = z.infer<typeof round>;

/** Returns the calls of a worker that have no result, and of each whether it was begun. */
export function listOpenCalls(entries: readonly (Entry | NewEntry)[]): ReadonlyMap<string, boolean> {
  const open = new Map<string, boolean>();
  for (const entry of entries) if (entry.strand !== "instructor") follow(open, entry);
  return open;
}

function follow(open: Map<string, boolean>, entry: Entry | NewEntry): void {
  if (entry.kind === "event" && entry.event === runEvents.callStarted) {
    const call = `${entry.data.call}`;
    if (open.has(call)) open.set(call, true);
  }
  if (entry.kind !== "message") return;
  for (const part of entry.parts) {
    if (part.type === "tool-call") open.set(part.call, false);
    if (part.type === "tool-result") open.delete(part.call);
  }
}

/**
 * Returns the rounds of a run and how much had been said on each strand by the end of each; undefined where not all are
 * known, as of a session that claude-master has begun.
 */
export function listRounds(entries: readonly Entry[]): readonly WrittenRound[] | undefined {
  const rounds: WrittenRound[] = [];
  let [instructor, worker] = [0, 0];
  for (const entry of entries) {
    if (entry.kind === "message" && entry.strand === "instructor") instructor += 1;
    else if (entry.kind === "message") worker += 1;
    if (entry.kind !== "round") continue;
    if (entry.number !== rounds.length + 1) return undefined;
    const { number, data, at } = entry;
    rounds.push({ number, at: at.toISOString(), instructor, worker, data });
  }
  return rounds.length === 0 ? undefined : rounds;
}

/** What was said on the strands, and what makes the entry of a round. */
interface Strands {
  readonly instructor: readonly NewEntry[];
  readonly worker: readonly NewEntry[];
  readonly toEntry: (round: { number: number; at: Date; data: JsonObject }) => NewEntry;
}

/** Puts what was said on two strands into the order in which it was said, as far as the rounds tell. */
export function weaveRounds(
  rounds: readonly WrittenRound[],
  { instructor, worker, toEntry }: Strands,
): readonly NewEntry[] {
  const woven: NewEntry[] = [];
  let before = { instructor: 0, worker: 0 };
  for (const [index, round] of rounds.entries()) {
    const isNext = round.instructor >= before.instructor && round.worker >= before.worker;
    const isThere = round.instructor <= instructor.length && round.worker <= worker.length;
    const where = `rounds, round ${index + 1}`;
    if (!isNext || !isThere || round.number !== index + 1)
      throw new BadImport(where, "it does not fit the histories");
    if (isDeeperThan(round.data, maxDepth))
      throw new BadImport(where, `it is nested deeper than ${maxDepth} levels`);
    // What the instructor hears last is the report on what the worker did.
    const report = Math.max(before.instructor, round.instructor - 1);
    woven.push(
      ...instructor.slice(before.instructor, report),
      ...worker.slice(before.worker, round.worker),
      ...instructor.slice(report, round.instructor),
      toEntry({ number: round.number, at: new Date(round.at), data: round.data as JsonObject }),
    );
    before = round;
  }
  return [...woven, ...instructor.slice(before.instructor), ...worker.slice(before.worker)];
}
