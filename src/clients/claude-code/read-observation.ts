import { sha256 } from "../../sessions/chain.ts";
import type { Json, JsonObject, NewEntry } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import type { InboxItem } from "../../sessions/inbox.ts";
import { type Observation, observed } from "../../sessions/observations.ts";
import { bound } from "./bound.ts";
import { type Link, linkTo, toIdText } from "./links.ts";
import { isJsonObject, textOf } from "./wire.ts";

/** What a hook saw of the talk, and what a row of the transcript would be known by. */
export interface Seen {
  readonly entry: NewEntry;
  readonly link: Link;
}

/** Returns what a row of the transcript would be known by that is about the same as an item; undefined when none would be. */
export function linkOf({ event, payload, receivedAt }: InboxItem): Link | undefined {
  if (!isJsonObject(payload)) return undefined;
  const call = textOf(payload, "tool_use_id");
  switch (event) {
    case "UserPromptSubmit": {
      const prompt = textOf(payload, "prompt");
      // An older client does not say which prompt it is; nothing in its transcript would say so either.
      const id = textOf(payload, "prompt_id") ?? sha256(`${receivedAt.getTime()} ${prompt}`);
      return prompt === undefined ? undefined : linkTo.prompt(id);
    }
    case "PreToolUse":
      return call === undefined ? undefined : linkTo.call(call);
    case "PostToolUse":
    case "PostToolUseFailure":
      return call === undefined ? undefined : linkTo.result(call);
    default:
      return undefined;
  }
}

/** Returns what an item says of the talk; undefined when it says nothing that the transcript could miss. */
export function readObservation(item: InboxItem): Seen | undefined {
  const { event, payload, receivedAt } = item;
  const link = linkOf(item);
  if (link === undefined || !isJsonObject(payload)) return undefined;
  const [kind, data] = readData(event, payload);
  return { entry: observed(nameIt(event, link), receivedAt, kind, data), link };
}

function readData(event: string, payload: JsonObject): readonly [kind: Observation, data: JsonObject] {
  const { prompt, tool_name: tool, tool_input: input, tool_response: output, error } = payload;
  if (event === "UserPromptSubmit") return ["prompt-seen", pick({ prompt })];
  if (event === "PreToolUse") return ["call-seen", bound(pick({ tool, input }))];
  return ["result-seen", bound(pick({ tool, output, error, durationMs: payload.duration_ms }))];
}

/** The same event about the same thing has the same name, although two installed hooks may both have told it. */
function nameIt(event: string, link: Link): EntryId {
  return `seen-${event}-${toIdText(link)}` as EntryId;
}

function pick(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const told = Object.entries(fields).filter((each): each is [string, Json] => each[1] !== undefined);
  return Object.fromEntries(told);
}
