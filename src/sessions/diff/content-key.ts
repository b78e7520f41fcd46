import { sha256 } from "../chain.ts";
import type { Entry, EntryContent, Json, JsonObject, Part } from "../entry.ts";

/**
 * Returns what an entry says, as a key that equal ones share: ids, times, models and costs do not count.
 *
 * Undefined for what is no part of the talk: events, checkpoints, records of a client.
 */
export function contentKey(entry: EntryContent): string | undefined {
  switch (entry.kind) {
    case "message":
      return sha256(JSON.stringify([entry.role, entry.parts.flatMap(saidIn)]));
    case "summary":
      return sha256(JSON.stringify(["summary", entry.text]));
    case "round":
      return sha256(JSON.stringify(["round", entry.number, orderIn(entry.data)]));
    case "checkpoint":
    case "event":
    case "other":
      return undefined;
  }
}

/** What a round was for: who did it, what was thought before, and where its files are kept, does not count. */
function orderIn({
  cost: _cost,
  workerModel: _model,
  thinking: _thinking,
  files: _files,
  ...order
}: JsonObject): JsonObject {
  return order;
}

/** Thinking is the model's own, and what a client notes of an outcome has times and paths of that moment. */
function saidIn(part: Part): readonly Json[] {
  switch (part.type) {
    case "text":
      return [["text", part.text]];
    case "tool-call":
      return [["call", part.name, part.input]];
    case "tool-result":
      return [["result", part.output, part.failed === true]];
    case "image":
    case "file":
      return [[part.type, part.mediaType, part.name ?? part.location ?? part.sha256 ?? ""]];
    case "thinking":
    case "other":
      return [];
  }
}

/** Returns all that an entry says, without what the log has added: equal ones are stored as one. */
export function contentText(entry: Entry): string {
  const { id: _id, session: _session, seq: _seq, parent: _parent, strand, at: _at, ...content } = entry;
  return JSON.stringify([strand, content]);
}
