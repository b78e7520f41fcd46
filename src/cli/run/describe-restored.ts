import { plural } from "../../lib/describe.ts";
import { describeSpan } from "../../lib/describe-span.ts";
import { present } from "../../lib/present.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { truncate } from "../../lib/terminal-text.ts";
import type { RestoredRun } from "../../run/open-run.ts";
import type { RunLimits } from "../../run/run-config.ts";

/** Describes an amount of dollars; a small one as exactly as it needs to be told from nothing. */
export function describeDollars(dollars: number): string {
  const digits = dollars >= 0.1 || dollars === 0 ? 2 : 4;
  return `$${dollars.toFixed(digits)}`;
}

/** How much is shown of what the user adds. */
const longest = 200;

const settings = { instructorModel: "instructor's model", workerModel: "worker's model", workDir: "folder" };

/** Tells what a resume goes on with, and what of it is not as before. */
export function describeRestored(restored: RestoredRun): string {
  const { since, rounds, left, changes, more, file, fork } = restored;
  return [
    `Resuming session from ${since.toISOString()}`,
    `  Round: ${rounds}`,
    `  Remaining: ${describeLeft(left)}`,
    ...changes.map(({ setting, before, now }) => `  The ${settings[setting]} is ${now}; it was ${before}.`),
    ...(more === undefined ? [] : describeMore(more, rounds + 1)),
    ...(file === undefined ? [] : describeFile(file)),
    ...(fork === undefined ? [] : describeFork(fork)),
  ]
    .map((line) => `${toPrintableLine(line)}\n`)
    .join("");
}

function describeMore({ text, heard }: NonNullable<RestoredRun["more"]>, round: number): readonly string[] {
  const when =
    heard === "at-once"
      ? "The instructor hears it at once, and decides what is next."
      : `The worker is in the middle of round ${round}: the instructor hears it after that.`;
  return [`  You say: ${truncate(toPrintableLine(text), longest)}`, `  ${when}`];
}

/** Where rounds alone are limited, their number says it. */
function describeLeft({ rounds, tokens, seconds, cost }: RunLimits): string {
  const others = present([
    tokens !== null && `${tokens.toLocaleString("en")} tokens`,
    seconds !== null && describeSpan(seconds * 1000),
    cost !== null && describeDollars(cost),
  ]);
  if (others.length === 0) return rounds === null ? "without a limit" : `${rounds}`;
  return present([rounds !== null && plural(rounds, "round"), ...others]).join(", ");
}

function describeFile({ type, session, from, more }: NonNullable<RestoredRun["file"]>): readonly string[] {
  if (session !== from)
    return [
      `  The file and session ${from} of the store have gone different ways; this is what the file has.`,
      `  The file stays as it is. To keep this session in a new one: --session ${session} --session-file NEW`,
    ];
  if (type === "extended") return ["  The file had more of this session than the store, which has it now."];
  if (type !== "known") return ["  The session was taken from the file."];
  return more === 0 ? [] : ["  The store has more of this session than the file, and that is gone on with."];
}

function describeFork({ from, round, files }: NonNullable<RestoredRun["fork"]>): readonly string[] {
  const forked = `  Forked from ${from} after round ${round}.`;
  if (files === undefined) return [forked, "  The files are as they are now."];
  const { root, files: count, head, headThen, leftOut } = files;
  const which = leftOut.length === 0 ? "The files" : "The files that were kept";
  return [
    forked,
    `  ${which} are as they were then: ${plural(count, "file")} restored in ${root}.`,
    ...(leftOut.length === 0 ? [] : [`  Not kept then, and not brought back: ${leftOut.join(", ")}.`]),
    ...(head === headThen ? [] : ["  Another commit was checked out then; the branch stays where it is."]),
  ];
}
