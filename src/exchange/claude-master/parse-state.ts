import {
  type Entry,
  type EntryContent,
  type JsonObject,
  maxDepth,
  type NewEntry,
} from "../../conversation/entry.ts";
import { isName, parseSessionId, parseStrand } from "../../conversation/ids.ts";
import { describeIssue } from "../../conversation/parse-new-entry.ts";
import { isDeeperThan } from "../../lib/is-deeper-than.ts";
import { BadImport } from "../bad-import.ts";
import { makeEntry } from "../talk/make-entry.ts";
import type { Talk, Told } from "../talk/talk.ts";
import { fromWireMessage } from "./blocks.ts";
import { type AnyEntry, listHistories, type Said, startedEvent } from "./render-state.ts";
import { type SessionState, sessionStateSchema } from "./session-state.ts";

const instructor = parseStrand("instructor");
const worker = parseStrand("worker");

/** Turns the state of claude-master into a session; throws `BadImport` for anything else. */
export function parseSessionState(document: unknown): Talk {
  const parsed = sessionStateSchema.safeParse(document);
  if (!parsed.success)
    throw new BadImport(undefined, `it is no SessionState: ${describeIssue(parsed.error)}`);
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

function tell(entries: readonly AnyEntry[]): readonly (readonly Told[])[] {
  const { instructor, worker } = listHistories(entries);
  const texts = (list: readonly Said[]) =>
    list.map(({ entry, message }) => ({ entry, text: JSON.stringify(message) }));
  return [texts(instructor), texts(worker)];
}

/** Of rounds a state tells the last one alone. */
function closeWithRound(id: string, state: SessionState): Pick<Talk, "closing"> {
  const { currentRound: number, lastInstruction, lastInstructorResponse: response, lastUpdatedAt } = state;
  if (number === 0) return {};
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
  const start = { config: state.config, systemPrompt: state.instructor.systemPrompt } as JsonObject;
  const histories = [
    { strand: instructor, field: "instructor", history: state.instructor.conversationHistory },
    { strand: worker, field: "worker", history: state.worker.conversationHistory },
  ];
  return [
    makeEntry(id, { strand: instructor, number: 0, at }, { kind: "event", event: startedEvent, data: start }),
    ...histories.flatMap(({ strand, field, history }) =>
      toMessages(`${field}.conversationHistory`, history).map((content, index) =>
        makeEntry(id, { strand, number: index + 1, at }, content),
      ),
    ),
  ];
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
