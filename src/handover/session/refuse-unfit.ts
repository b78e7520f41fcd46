import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import { outlineOf } from "../markdown/outline.ts";
import { refuseLeftOpen } from "../markdown/refuse-left-open.ts";
import { refuseUnfinishedMerge } from "../markdown/refuse-unfinished-merge.ts";

/**
 * Throws when a session.md cannot be rewritten: it has the marks of a git merge, or leaves something open.
 *
 * For those who write elsewhere before they rewrite it.
 */
export function refuseUnfit(text: string): void {
  refuseUnfinishedMerge(text);
  refuseLeftOpen(outlineOf(withoutMark(text)), "session.md");
}
