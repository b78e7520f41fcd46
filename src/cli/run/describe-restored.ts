import { toPrintableLine } from "../../lib/printable.ts";
import type { RestoredRun } from "../../project/run/open-run.ts";

const settings = { instructorModel: "instructor's model", workerModel: "worker's model", workDir: "folder" };

/** Tells what a resume goes on with, and what of it is not as before. */
export function describeRestored({ since, rounds, remaining, changes, file }: RestoredRun): string {
  return [
    `Resuming session from ${since.toISOString()}`,
    `  Round: ${rounds}`,
    `  Remaining: ${remaining ?? "without a limit"}`,
    ...changes.map(({ setting, before, now }) => `  The ${settings[setting]} is ${now}; it was ${before}.`),
    ...(file === undefined ? [] : describeFile(file)),
  ]
    .map((line) => `${toPrintableLine(line)}\n`)
    .join("");
}

function describeFile({ type, session, from, more }: NonNullable<RestoredRun["file"]>): readonly string[] {
  if (session !== from)
    return [
      `  The file and session ${from} of the store have gone different ways; this is what the file has.`,
    ];
  switch (type) {
    case "known":
      return more === 0
        ? []
        : ["  The store has more of this session than the file, and that is gone on with."];
    case "extended":
      return ["  The file had more of this session than the store, which has it now."];
    case "added":
    case "parted":
      return ["  The session was taken from the file."];
  }
}
