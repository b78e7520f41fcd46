import { isObject } from "../lib/field-readers.ts";
import {
  type Entry,
  type JsonObject,
  messageText,
  type NewEntry,
  type RoundContent,
} from "../sessions/entry.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import type { Session } from "../sessions/session.ts";
import { toWireMessage, type WireMessage } from "./claude-master/blocks.ts";
import { listOpenCalls, listRounds, type SessionState, stateVersion } from "./claude-master/rounds.ts";

/** The event with which a run begins: its configuration and the prompt of its instructor. */
export const startedEvent = "started";

/** The events that say what a run goes by. */
const configEvents: ReadonlySet<string> = new Set([startedEvent, "resumed"]);

export type AnyEntry = Entry | NewEntry;

/** A message, and the entry that holds it. */
export interface Said {
  readonly entry: string;
  readonly message: WireMessage;
}

/** Returns what was said on the two strands; a session that has no worker said everything on its own. */
export function listHistories(entries: readonly AnyEntry[]): {
  readonly instructor: readonly Said[];
  readonly worker: readonly Said[];
} {
  const instructor: Said[] = [];
  const worker: Said[] = [];
  for (const entry of entries) {
    if (entry.kind !== "message" || isOfOtherRun(entry)) continue;
    const said = { entry: entry.id, message: toWireMessage(entry) };
    (entry.strand === "instructor" ? instructor : worker).push(said);
  }
  return { instructor, worker };
}

/** What a merge has brought from another run: put among what this one said, it would read as its own. */
function isOfOtherRun({ id, strand }: AnyEntry): boolean {
  return (strand === "instructor" || strand === "worker") && isMergedId(id);
}

/** What the state of a session says besides its entries. */
type SessionFacts = Pick<Session, "id" | "startedAt" | "updatedAt" | "cwd">;

/** Makes the state of claude-master from a session; what was never a run has no rounds. */
export function toSessionState(session: SessionFacts, all: readonly Entry[]): SessionState {
  const entries = all.filter((entry) => !isOfOtherRun(entry));
  const start = findStart(entries);
  const config = readConfig(session, entries, start);
  const round = entries.findLast((entry) => entry.kind === "round");
  const { instructor, worker } = listHistories(entries);
  const currentRound = round?.number ?? 0;
  const rounds = listRounds(entries);
  return {
    sessionId: session.id,
    createdAt: session.startedAt.toISOString(),
    lastUpdatedAt: session.updatedAt.toISOString(),
    version: stateVersion,
    config,
    currentRound,
    remainingRounds: countRemaining(config.maxRounds, entries),
    instructor: {
      conversationHistory: instructor.map(({ message }) => message),
      systemPrompt: textOf(start?.systemPrompt),
    },
    worker: { conversationHistory: worker.map(({ message }) => message), ...listWaiting(start, entries) },
    lastInstruction: round === undefined ? lastPrompt(entries) : textOf(round.data.instruction),
    lastInstructorResponse: round === undefined ? null : toResponse(round),
    ...(rounds === undefined ? {} : { rounds: [...rounds] }),
  };
}

/** What is no run of ours does not record which calls were begun. */
function listWaiting(
  start: JsonObject | undefined,
  entries: readonly Entry[],
): Pick<SessionState["worker"], "waitingCalls"> {
  const open = start === undefined ? [] : [...listOpenCalls(entries)];
  const waitingCalls = open.flatMap(([call, isBegun]) => (isBegun ? [] : [call]));
  return waitingCalls.length === 0 ? {} : { waitingCalls };
}

/** A resume may grant rounds anew, and what was begun elsewhere is told what was left there; what was granted last counts. */
function countRemaining(maxRounds: number | null, entries: readonly Entry[]): number | null {
  let [granted, used] = [maxRounds, 0];
  for (const entry of entries) {
    if (entry.kind === "round") used += 1;
    const grant = entry.kind === "event" && configEvents.has(entry.event) ? entry.data.grant : undefined;
    if (!isObject(grant) || grant.maxRounds === undefined) continue;
    granted = typeof grant.maxRounds === "number" ? grant.maxRounds : null;
    used = 0;
  }
  return granted === null ? null : Math.max(0, granted - used);
}

/** What a run goes by: as it began, and what each resume has changed of it. */
function findStart(entries: readonly Entry[]): JsonObject | undefined {
  let start: JsonObject | undefined;
  for (const entry of entries) {
    if (entry.kind !== "event" || !configEvents.has(entry.event)) continue;
    if (start === undefined && entry.event !== startedEvent) continue;
    const config = isObject(entry.data.config) ? entry.data.config : {};
    const before = isObject(start?.config) ? start.config : {};
    start = { ...start, ...entry.data, config: { ...before, ...config } as JsonObject };
  }
  return start;
}

function readConfig(
  session: SessionFacts,
  entries: readonly Entry[],
  start: JsonObject | undefined,
): SessionState["config"] {
  const given: Readonly<Record<string, unknown>> = isObject(start?.config) ? start.config : {};
  const modelOf = (isInstructor: boolean) =>
    entries.findLast(
      (entry) => entry.kind === "message" && (entry.strand === "instructor") === isInstructor && entry.model,
    );
  const nameOf = (entry: Entry | undefined) => (entry?.kind === "message" ? (entry.model ?? "") : "");
  return {
    instructorModel: textOf(given.instructorModel) || nameOf(modelOf(true)),
    workerModel: textOf(given.workerModel) || nameOf(modelOf(false)),
    maxRounds: typeof given.maxRounds === "number" ? given.maxRounds : null,
    useThinking: given.useThinking === true,
    workDir: textOf(given.workDir) || session.cwd,
    ...Object.fromEntries(
      ["maxTokens", "maxSeconds", "maxCost"].flatMap((name) =>
        typeof given[name] === "number" ? [[name, given[name]]] : [],
      ),
    ),
  };
}

function toResponse({ data }: RoundContent): SessionState["lastInstructorResponse"] {
  return {
    thinking: textOf(data.thinking),
    instruction: textOf(data.instruction),
    workerModel: textOf(data.workerModel),
    shouldContinue: data.shouldContinue === true,
    needsCorrection: data.needsCorrection === true,
  };
}

function lastPrompt(entries: readonly Entry[]): string {
  const found = entries.findLast((entry) => entry.kind === "message" && entry.role === "user");
  return found?.kind === "message" ? messageText(found) : "";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
