import type { ZodError } from "zod";
import { isDeeperThan } from "../../lib/json.ts";
import {
  type Entry,
  type EntryContent,
  type JsonObject,
  maxDepth,
  type NewEntry,
  runEvents,
} from "../../sessions/entry.ts";
import { isName, parseSessionId, parseStrand, type Strand } from "../../sessions/ids.ts";
import { describeIssue } from "../../sessions/parse-new-entry.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import { BadImport } from "../bad-import.ts";
import { type AnyEntry, listHistories, type Said, startedEvent } from "../render-claude-master.ts";
import { makeEntry } from "../talk/make-entry.ts";
import type { Talk, Told } from "../talk/take-talk.ts";
import { fromWireMessage } from "./blocks.ts";
import { listOpenCalls, type SessionState, sessionStateSchema, weaveRounds } from "./rounds.ts";

const instructor = parseStrand("instructor");
const worker = parseStrand("worker");

/** Turns the state of claude-master into a session; throws `BadImport` for anything else. */
export function parseSessionState(document: unknown): Talk {
  const parsed = sessionStateSchema.safeParse(document);
  if (!parsed.success)
    throw new BadImport(undefined, `it is no SessionState: ${describeFault(parsed.error)}`);
  const state = parsed.data;
  const id = state.sessionId;
  if (!isName(id)) throw new BadImport("sessionId", "it must be 1 to 128 letters, digits, - and _");
  return {
    id: parseSessionId(id),
    client: "carryon-run",
    startedAt: new Date(state.createdAt),
    entries: listEntries(id, state),
    ...closeWithRound(id, state),
    tell,
  };
}

/** Names all that is missing at once; of anything else the first. */
function describeFault(error: ZodError): string {
  const missing = error.issues.filter(({ message }) => message.endsWith("received undefined"));
  if (missing.length < 2) return describeIssue(error);
  return `${missing.map(({ path }) => path.join(".")).join(", ")} are missing`;
}

function tell(entries: readonly AnyEntry[]): readonly (readonly Told[])[] {
  const { instructor, worker } = listHistories(entries);
  const texts = (list: readonly Said[]) =>
    list.map(({ entry, message }) => ({ entry, text: JSON.stringify(message) }));
  return [texts(instructor), texts(worker)];
}

/** Of rounds a state tells the last one alone. */
function closeWithRound(id: string, state: SessionState): Pick<Talk, "closing"> {
  const { currentRound: number, lastInstruction, lastInstructorResponse: response, lastUpdatedAt } = state;
  if (number === 0 || state.rounds !== undefined) return {};
  const data = { ...response, instruction: response?.instruction ?? lastInstruction } as JsonObject;
  const entry = makeEntry(
    id,
    { strand: instructor, number, at: new Date(lastUpdatedAt) },
    { kind: "round", number, data },
  );
  const isNew = (entries: readonly Entry[]) =>
    !entries.some((each) => each.kind === "round" && each.number >= number);
  return { closing: { entry, isNew } };
}

function listEntries(id: string, state: SessionState): readonly NewEntry[] {
  const at = new Date(state.createdAt);
  const { rounds = [], config } = state;
  const start = {
    ...{ config: withoutOthers(config), systemPrompt: state.instructor.systemPrompt },
    ...grantRest(state),
  } as JsonObject;
  const toEntries = (strand: Strand, field: string, history: readonly unknown[]) =>
    toMessages(`${field}.conversationHistory`, history).map((content, index) =>
      makeEntry(id, { strand, number: index + 1, at }, content),
    );
  const messages = weaveRounds(rounds, {
    instructor: toEntries(instructor, "instructor", state.instructor.conversationHistory),
    worker: toEntries(worker, "worker", state.worker.conversationHistory),
    toEntry: ({ number, at: endedAt, data }) =>
      makeEntry(id, { strand: instructor, number, at: endedAt }, { kind: "round", number, data }),
  });
  return [
    makeEntry(id, { strand: instructor, number: 0, at }, { kind: "event", event: startedEvent, data: start }),
    ...messages,
    ...doubtCalls(id, messages, { at, waiting: state.worker.waitingCalls ?? [] }),
    toStanding(state, messages),
  ];
}

/** The original keeps its whole configuration, with keys and addresses: none of those are taken in. */
function withoutOthers(config: SessionState["config"]): JsonObject {
  const known = ["instructorModel", "workerModel", "useThinking", "workDir", ...limitNames];
  return Object.fromEntries(Object.entries(config).filter(([name]) => known.includes(name))) as JsonObject;
}

const limitNames = ["maxRounds", "maxTokens", "maxSeconds", "maxCost"];

/** What was left of the rounds elsewhere is what there is here; those that are taken over count as used. */
function grantRest({ remainingRounds, currentRound, rounds }: SessionState): JsonObject {
  if (remainingRounds === null) return {};
  const used = rounds?.length ?? Math.min(currentRound, 1);
  return { grant: { maxRounds: remainingRounds + used } };
}

/** Nobody knows what became of a call without a result: it counts as begun, unless the file says that it was not. */
function doubtCalls(
  id: string,
  messages: readonly NewEntry[],
  { at, waiting }: { readonly at: Date; readonly waiting: readonly string[] },
): readonly NewEntry[] {
  const doubted = [...listOpenCalls(messages).keys()].filter((call) => !waiting.includes(call));
  return doubted.map((call, index) =>
    makeEntry(
      id,
      { strand: worker, number: messages.length + index, at },
      { kind: "event", event: runEvents.callStarted, data: { call } },
    ),
  );
}

function toMessages(field: string, history: readonly unknown[]): readonly EntryContent[] {
  return history.map((value, index) => {
    const where = `${field}, message ${index + 1}`;
    if (isDeeperThan(value, maxDepth))
      throw new BadImport(where, `it is nested deeper than ${maxDepth} levels`);
    const content = fromWireMessage(value);
    if (content === undefined) throw new BadImport(where, "it is no message with a role and content");
    return content;
  });
}

/** Makes the entry that says how a run stands: nobody works on what was taken from a file. */
function toStanding(state: SessionState, messages: readonly NewEntry[]): NewEntry {
  const isOver = isDone(state, messages);
  // What is said of a session counts by its time, and the messages have that of its beginning.
  const at = new Date(Math.max(Date.parse(state.lastUpdatedAt), Date.parse(state.createdAt) + 1));
  return makeEntry(
    state.sessionId,
    { strand: instructor, number: messages.length, at },
    {
      kind: "event",
      event: isOver ? "ended" : "interrupted",
      data: { reason: isOver ? "done" : "It was taken from a file." },
    },
  );
}

/** A task is done when its instructor said so last, and nobody has said anything since. */
function isDone({ lastInstructorResponse }: SessionState, messages: readonly NewEntry[]): boolean {
  if (lastInstructorResponse?.shouldContinue === false) return true;
  const last = messages.findLast(
    (entry) => entry.kind === "message" && entry.strand === instructor && entry.role !== "tool",
  );
  return (
    last?.kind === "message" &&
    last.parts.some((part) => part.type === "tool-call" && fieldOf(part.input, "shouldContinue") === false)
  );
}
