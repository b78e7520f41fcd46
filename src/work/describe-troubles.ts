import type { PushOutcome } from "../git/push.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { describeTrouble } from "./describe-commit.ts";
import { findPushTrouble } from "./push-trouble.ts";
import { quoteOutput } from "./quote-output.ts";
import type { SaveReport } from "./save.ts";

const asides = {
  broken: "The state that was there could not be read.",
  foreign: "The state that was there was not written by you here, and nothing was taken from it.",
} as const;

/** Says what did not go well in a save that is safe all the same, line by line, for standard error. */
export function describeTroubles(report: SaveReport): readonly string[] {
  const { work, aside, warnings, tasks, checks, push } = report;
  const failed = (checks ?? []).filter(({ outcome }) => outcome === "failed");
  const unpushed = push === undefined || isPushMissed(report) ? undefined : findPushTrouble(push, work);
  return [
    ...(work === undefined ? [] : describeTrouble(work)),
    ...(work?.staged === undefined
      ? []
      : [`What you had staged of files that you changed again is kept in ${work.staged}.`]),
    ...(aside === undefined ? [] : [`${asides[aside.was]} It is now ${toPrintableLine(aside.path)}`]),
    ...failed.flatMap(({ detail, output = "" }) => [
      toPrintableLine(`Not all is well: ${detail}.`),
      ...quoteOutput(output),
    ]),
    ...tasks.remarks.map(toPrintableLine),
    ...warnings.map(toPrintableLine),
    ...(unpushed === undefined ? [] : [toPrintableLine(unpushed.message)]),
  ];
}

/**
 * Tells whether a push was asked for that did not happen.
 *
 * Who only wants everything verified may have nowhere to push to.
 */
export function isPushMissed(report: SaveReport): report is SaveReport & { readonly push: PushOutcome } {
  const { push, state } = report;
  if (push === undefined || push.type === "pushed") return false;
  return state.mode !== "full" || (push.type !== "no-remote" && push.type !== "no-repository");
}
