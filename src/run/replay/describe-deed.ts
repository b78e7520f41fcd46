import { type Entry, type MessageContent, messageText, type NewEntry } from "../../sessions/entry.ts";
import { runEvents } from "../../sessions/run-events.ts";
import { instructorStrand } from "../run-state.ts";
import { type Deed, toContent } from "./recording.ts";

/** How much is shown of each, and how much of it before the place where they part. */
const [longest, before] = [300, 40];

/** Says of two things that differ what each is, from shortly before the place where they part. */
export function describeDifference(
  recorded: Entry,
  now: Deed,
): { readonly recorded: string; readonly now: string } {
  const [one, other] = [describeDeed(recorded), describeDeed(now)];
  // What is told of both may be the same: then it is something of which nothing is told.
  const isTold = one !== other || typeof now === "string";
  const [left, right] = isTold ? [one, other] : [render(recorded), render(now)];
  const from = Math.max(0, countSame(left, right) - before);
  return { recorded: cut(left, from), now: cut(right, from) };
}

function render(entry: Entry | NewEntry): string {
  return JSON.stringify(toContent(entry));
}

function countSame(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

function cut(text: string, from: number): string {
  // What is short enough is shown from its beginning.
  const start = text.length <= longest ? 0 : from;
  const shown = text.slice(start, start + longest).toWellFormed();
  return `${start === 0 ? "" : "…"}${shown}${text.length > start + longest ? "…" : ""}`;
}

function describeDeed(deed: Deed | Entry): string {
  if (typeof deed === "string") return deed;
  switch (deed.kind) {
    case "message":
      return describeMessage(deed, deed.strand === instructorStrand ? "instructor" : "worker");
    case "round":
      return `round ${deed.number} ends`;
    case "event":
      return describeEvent(deed.event, deed.data.call ?? deed.data.reason);
    case "summary":
    case "checkpoint":
    case "other":
      return deed.kind;
  }
}

function describeEvent(event: string, what: unknown): string {
  if (event === runEvents.callStarted) return `call ${what} begins`;
  return event === "ended" ? `the run stops: ${what}` : event;
}

function describeMessage(message: MessageContent, who: "instructor" | "worker"): string {
  const said = message.parts.flatMap((part) => {
    if (part.type === "tool-call") return [`${part.name} ${JSON.stringify(part.input)}`];
    return part.type === "tool-result" ? [`${part.output}`] : [];
  });
  const text = [messageText(message), ...said].filter((each) => each !== "").join("; ");
  switch (message.role) {
    case "user":
      return `the ${who} is told: ${text}`;
    case "assistant":
      return `the ${who} says: ${text}`;
    case "tool":
      return who === "worker" ? `the result of a call: ${text}` : `the instructor is told: ${text}`;
  }
}
