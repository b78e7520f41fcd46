import type { ConversationLog, ReadRange } from "./conversation-log.ts";
import type { Entry, Json, JsonObject, MessageContent, NewEntry, ToolResultPart } from "./entry.ts";
import type { EntryId, SessionId, Strand } from "./ids.ts";

/** The strand of what hooks saw: what is on it is no part of the talk. */
export const hookStrand = "hooks" as Strand;

/** Something that a hook saw and that the client also writes to its transcript, unless it is killed before. */
export type Observation = "prompt-seen" | "call-seen" | "result-seen";

const observations: ReadonlySet<string> = new Set<Observation>(["prompt-seen", "call-seen", "result-seen"]);
const foundEvent = "found";

/** Makes the entry that says what a hook saw. */
export function observed(id: EntryId, at: Date, event: Observation, data: JsonObject): NewEntry {
  return { kind: "event", event, data, id, at, strand: hookStrand };
}

/** Makes the entry that says that the transcript has what a hook saw. */
export function found(observation: EntryId, at: Date): NewEntry {
  const id = foundId(observation);
  return { kind: "event", event: foundEvent, data: { entry: observation }, id, at, strand: hookStrand };
}

/** Returns the id of the entry that says that an observation is in the transcript. */
export function foundId(observation: EntryId): EntryId {
  return `found-${observation}` as EntryId;
}

/** Returns what a hook saw as the message that a transcript would have of it; undefined for any other entry. */
export function toSeenMessage(entry: Entry): MessageContent | undefined {
  if (entry.kind !== "event" || !isObservation(entry)) return undefined;
  const { prompt, tool, input = {} } = entry.data;
  switch (entry.event as Observation) {
    case "prompt-seen":
      return { kind: "message", role: "user", parts: [{ type: "text", text: String(prompt ?? "") }] };
    case "call-seen":
      return {
        ...{ kind: "message", role: "assistant" },
        parts: [{ type: "tool-call", call: entry.id, name: String(tool ?? ""), input }],
      };
    case "result-seen":
      return { kind: "message", role: "tool", parts: [toSeenResult(entry.id, entry.data)] };
  }
}

function toSeenResult(call: string, { output, error }: JsonObject): ToolResultPart {
  const result = { type: "tool-result", call, output: error ?? output ?? "" } as const;
  return error === undefined && !isInterrupted(output) ? result : { ...result, failed: true };
}

function isInterrupted(output: Json | undefined): boolean {
  return (
    typeof output === "object" && output !== null && "interrupted" in output && output.interrupted === true
  );
}

/**
 * Streams the entries of a session for somebody who reads it: nothing appears twice.
 *
 * What a hook saw is left out once the transcript has it. Who asks for the strand of hooks gets all of it.
 */
export async function* readShown(
  log: ConversationLog,
  session: SessionId,
  range: ReadRange = {},
): AsyncGenerator<Entry> {
  const isShown = await knowShown(log, session, range);
  for await (const entry of log.read(session, range)) if (isShown(entry)) yield entry;
}

/** Returns what tells which entries `readShown` streams: for who reads many, and can ask of each at less cost. */
export async function knowShown(
  log: ConversationLog,
  session: SessionId,
  { strand }: Pick<ReadRange, "strand">,
): Promise<(entry: Entry) => boolean> {
  if (strand === hookStrand) return () => true;
  const known = strand === undefined ? await readFound(log, session) : new Set();
  return (entry) => {
    if (entry.kind !== "event") return true;
    // What hooks saw of the origin of a fork is told there.
    const isOver = known.has(entry.id) || entry.session !== session;
    return !isFound(entry) && !(isObservation(entry) && isOver);
  };
}

/** Returns which of the things that hooks saw are in the transcript. */
async function readFound(log: ConversationLog, session: SessionId): Promise<ReadonlySet<unknown>> {
  const known = new Set<unknown>();
  for await (const entry of log.read(session, { strand: hookStrand }))
    if (isFound(entry)) known.add(entry.data.entry);
  return known;
}

/** Returns which observation an entry says to be in the transcript; undefined for any other entry. */
export function observationIn(entry: Entry): string | undefined {
  const observation = isFound(entry) ? entry.data.entry : undefined;
  return typeof observation === "string" ? observation : undefined;
}

function isFound(entry: Entry): entry is Entry & { readonly kind: "event" } {
  return entry.kind === "event" && entry.strand === hookStrand && entry.event === foundEvent;
}

function isObservation(entry: Entry): boolean {
  return entry.kind === "event" && entry.strand === hookStrand && observations.has(entry.event);
}
