import { itemsOf } from "../../handover/list-items.ts";
import { awaiting } from "../../handover/next-step.ts";
import type { SessionDoc } from "../../handover/session-doc.ts";
import { saysNothing } from "../../lib/markdown/fold.ts";
import { plural } from "../../lib/plural.ts";

/** Says what a session.md tells the next session, part by part. */
export function describeCaptured(doc: SessionDoc): string {
  const parts = [
    has(doc.goal, "goal"),
    count(doc.accomplished) === 0 ? "nothing done" : `${count(doc.accomplished)} done`,
    has(doc.nextAction === awaiting ? "" : doc.nextAction, "next action"),
    some(doc.added, "decision"),
    some(doc.warnings, "warning"),
    has(doc.tone, "tone"),
    some(doc.exceptions, "exception"),
  ];
  return `Captured: ${parts.join(", ")}.`;
}

function has(text: string, noun: string): string {
  return saysNothing(text) ? `no ${noun}` : noun;
}

function some(body: string, noun: string): string {
  return count(body) === 0 ? `no ${noun}s` : plural(count(body), noun);
}

/** A body that is no list counts as one. */
function count(body: string): number {
  if (saysNothing(body)) return 0;
  return itemsOf(body).length || 1;
}
