import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { followCommand, noChecks, standingFailures } from "../../src/outcomes/checks.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";

/**
 * What is true of a command that looks as if it had failed, when all of its sequence has run: the failure stands, is over,
 * is there again in a later command, or never was one.
 */
type Label = "stands" | "over" | "again" | "none";

interface Run {
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  readonly failed?: boolean;
  readonly cwd?: string;
  readonly label?: Label;
}

interface Sequence {
  readonly name: string;
  readonly runs: readonly Run[];
}

/** Commands in the order in which they were run: of real sessions, of real tools in scratch folders, and written as tools print them. */
const sequences = ["sessions", "tools", "written"].flatMap((file) =>
  readFileSync(join(import.meta.dirname, `../fixtures/outcomes/${file}.jsonl`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Sequence => JSON.parse(line)),
);

/** Returns the labelled commands whose failure is told wrongly at the end, by how. */
function judge({ name, runs }: Sequence) {
  const entryOf = (index: number) => parseEntryId(`run-${index}`);
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 12, index));
  const checks = runs.reduce(
    (before, { label: _, ...run }, index) =>
      followCommand(before, { ...run, at: at(index), entry: entryOf(index) }),
    noChecks,
  );
  const standing = new Set(standingFailures(checks).map(({ entry }) => entry));
  const told = (index: number) => `${name}: ${runs[index]?.command.split("\n")[0]}`;
  const all = [...runs.keys()];
  return {
    labelled: runs.filter(({ label }) => label !== undefined).length,
    isFalse: all.filter((index) => standing.has(entryOf(index)) && runs[index]?.label !== "stands").map(told),
    missed: all.filter((index) => runs[index]?.label === "stands" && !standing.has(entryOf(index))).map(told),
  };
}

it("tells of labelled failures which ones stand", () => {
  const judged = sequences.map(judge);
  expect(judged.reduce((sum, { labelled }) => sum + labelled, 0)).toBeGreaterThanOrEqual(60);
  expect({
    isFalse: judged.flatMap(({ isFalse }) => isFalse),
    missed: judged.flatMap(({ missed }) => missed),
  }).toEqual({ isFalse: [], missed: [] });
});
