import { findMarkers } from "../lib/marker.ts";
import {
  type Json,
  type MessageContent,
  messageText,
  type ToolCallPart,
  type ToolResultPart,
} from "../sessions/entry.ts";
import { printCall, printReport } from "./progress.ts";
import { runNotes } from "./prompts.ts";
import type { Working } from "./run-phase.ts";

/** Returns where the worker is after one more message on its strand. */
export function followWork(work: Working, message: MessageContent): Working {
  if (message.interrupted === true) return { ...work, begun: joinWords(work.begun, messageText(message)) };
  switch (message.role) {
    case "user":
      return { ...work, isTold: true, begun: "" };
    case "assistant":
      return followReply(work, message);
    case "tool":
      return message.parts.reduce(closeCall, { ...work, begun: "" });
  }
}

function followReply(work: Working, message: MessageContent): Working {
  const calls = message.parts.filter((part): part is ToolCallPart => part.type === "tool-call");
  const isReport = calls.length === 0;
  const said = joinWords(work.begun, messageText(message)).trim();
  const report = isReport ? said || runNotes.noReport : undefined;
  return {
    ...work,
    replies: work.replies + 1,
    calls: calls.map((part) => ({ part, isStarted: false, isRedacted: false })),
    ...{ report, begun: "" },
    prints: report === undefined ? work.prints : [...work.prints, printReport(report)],
  };
}

/** Puts together what was said before a reply was cut off and what came after; some models begin again instead. */
function joinWords(begun: string, rest: string): string {
  if (begun.trim() === "" || rest.trimStart().startsWith(begun.trim())) return rest;
  const isApart = /\s$/.test(begun) || /^\s/.test(rest);
  return isApart ? `${begun}${rest}` : `${begun}\n${rest}`;
}

function closeCall(work: Working, part: MessageContent["parts"][number]): Working {
  if (part.type !== "tool-result") return work;
  const result: ToolResultPart = part;
  const at = work.calls.findIndex((open) => open.part.call === result.call);
  const open = work.calls[at];
  if (open === undefined) return work;
  return {
    ...work,
    calls: work.calls.toSpliced(at, 1),
    prints: [...work.prints, printCall(open.part, result)],
  };
}

/** Returns where the worker is after one of its calls was begun. */
export function startCall(work: Working, call: string): Working {
  const at = work.calls.findIndex(({ part, isStarted }) => part.call === call && !isStarted);
  const calls = work.calls.map((each, index) => (index === at ? { ...each, isStarted: true } : each));
  return { ...work, calls };
}

/**
 * Returns where the worker is for a process that knows its calls from the log alone, which has no secrets: one that was
 * recorded with a marker would do its work with that marker.
 */
export function distrustInputs(work: Working): Working {
  const calls = work.calls.map((each) => ({ ...each, isRedacted: hasMarker(each.part.input) }));
  return { ...work, calls };
}

function hasMarker(input: Json): boolean {
  return findMarkers(JSON.stringify(input)).length > 0;
}
