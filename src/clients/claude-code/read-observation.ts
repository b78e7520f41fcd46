import { sha256 } from "../../conversation/chain.ts";
import type { Json, JsonObject, NewEntry } from "../../conversation/entry.ts";
import type { EntryId } from "../../conversation/ids.ts";
import type { InboxItem } from "../../conversation/inbox.ts";
import { type Observation, observed } from "../../conversation/observations.ts";
import { bound } from "./bound.ts";
import { type Link, linkTo } from "./links.ts";
import { isJsonObject, textOf } from "./wire.ts";

/** What a hook saw of the talk, and what a row of the transcript would be known by. */
export interface Seen {
  readonly entry: NewEntry;
  readonly link: Link;
}

/** Returns what an item says of the talk; undefined when it says nothing that the transcript could miss. */
export function readObservation({ event, payload, receivedAt }: InboxItem): Seen | undefined {
  if (!isJsonObject(payload)) return undefined;
  const call = textOf(payload, "tool_use_id");
  const see = (kind: Observation, link: Link, data: JsonObject): Seen => ({
    entry: observed(nameIt(event, link), receivedAt, kind, data),
    link,
  });
  switch (event) {
    case "UserPromptSubmit": {
      const prompt = textOf(payload, "prompt");
      const id = textOf(payload, "prompt_id");
      if (prompt === undefined) return undefined;
      // An older client does not say which prompt it is; nothing in its transcript would say so either.
      const link = linkTo.prompt(id ?? sha256(`${receivedAt.getTime()} ${prompt}`));
      return see("prompt-seen", link, pick({ prompt }));
    }
    case "PreToolUse":
      return call === undefined
        ? undefined
        : see(
            "call-seen",
            linkTo.call(call),
            bound(pick({ tool: payload.tool_name, input: payload.tool_input })),
          );
    case "PostToolUse":
    case "PostToolUseFailure": {
      const { tool_name: tool, tool_response: output, error, duration_ms: durationMs } = payload;
      if (call === undefined) return undefined;
      return see("result-seen", linkTo.result(call), bound(pick({ tool, output, error, durationMs })));
    }
    default:
      return undefined;
  }
}

/** The same event about the same thing has the same name, although two installed hooks may both have told it. */
function nameIt(event: string, link: Link): EntryId {
  return `seen-${event}-${link.replace(/[^A-Za-z0-9_-]/g, "-")}` as EntryId;
}

function pick(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const told = Object.entries(fields).filter((each): each is [string, Json] => each[1] !== undefined);
  return Object.fromEntries(told);
}
