import { basename } from "node:path";
import { describeGates } from "./list-gates.ts";
import type { GateStatus } from "./read-gate-status.ts";

/** Describes for a session that begins how the gates stand and what waits; empty where nothing is to be said. */
export function describeGateStatus(status: GateStatus): string {
  const { rows, branch, inert, waiting, problems } = status;
  return [
    ...(inert === undefined ? [] : [inert]),
    ...(inert === undefined && branch !== null ? [describeGates(rows, branch)] : []),
    ...waiting.map((path) => `${basename(path)} counts once the user trusts the project: \`carryon trust\`.`),
    ...(problems.length === 0
      ? []
      : ["Something is wrong with files of the gates; `carryon gate` says what."]),
  ]
    .filter((line) => line !== "")
    .join("\n");
}
