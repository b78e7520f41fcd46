import type { Chat, Restored } from "../../../chat/chat.ts";
import { plural } from "../../../lib/describe.ts";
import type { Style } from "../../../lib/style.ts";
import type { Message, Part, Role, ToolCallPart } from "../../../sessions/entry.ts";
import { toOutputText } from "../../transcript/describe-value.ts";
import { describeRestored } from "../describe-restored.ts";
import {
  type Block,
  callBlock,
  noteBlock,
  outcomeBlock,
  promptBlock,
  replyBlock,
  summaryBlock,
  thinkingBlock,
} from "./blocks.ts";

/** How many entries of a session that is gone on with are shown. */
const shownEntries = 20;

/** How a session is shown. */
export interface SessionView {
  readonly style: Style;
  /** Says in one line what a call does. */
  readonly describeCall: (call: ToolCallPart) => string;
}

/** Shows the session that a chat goes on in: what was restored, and what was said last. */
export function sessionBlocks(chat: Chat, restored: Restored, view: SessionView): readonly Block[] {
  const { style } = view;
  if (restored.messages === 0 && restored.summary === undefined) return [];
  const entries = chat.recent(shownEntries);
  const shown = entries.filter((entry) => entry.kind === "message").length;
  const earlier = restored.messages - shown;
  const { summary } = restored;
  return [
    ...(summary === undefined ? [] : [summaryBlock(summary, style)]),
    ...(earlier > 0
      ? [noteBlock(`${plural(earlier, "earlier message")}: carryon show ${chat.status.session}`, style.dim)]
      : []),
    ...entries.flatMap((entry) => (entry.kind === "message" ? messageBlocks(entry, view) : [])),
    noteBlock(describeRestored(chat.status, restored), style.yellow),
  ];
}

function messageBlocks(message: Message, view: SessionView): readonly Block[] {
  const { style } = view;
  const blocks = message.parts.flatMap((part) => partBlocks(part, message.role, view));
  return message.interrupted === true ? [...blocks, noteBlock("It was cut off here.", style.yellow)] : blocks;
}

function partBlocks(part: Part, role: Role, { style, describeCall }: SessionView): readonly Block[] {
  switch (part.type) {
    case "text":
      return [role === "user" ? promptBlock(part.text, style) : replyBlock(part.text, style)];
    case "thinking":
      return part.text.trim() === "" ? [] : [thinkingBlock(part.text, style)];
    case "tool-call":
      return [callBlock(describeCall(part), style)];
    case "tool-result": {
      const outcome = { output: toOutputText(part.output), failed: part.failed === true };
      return [outcomeBlock(outcome, style)];
    }
    case "image":
    case "file":
    case "other":
      return [noteBlock(`[${part.type}]`, style.dim)];
  }
}
