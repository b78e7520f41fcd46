import { type BlockerType, type Detection, severityOf } from "../blocker.ts";
import type { Finding } from "./find-rule.ts";

const [mostOfPattern, mostOfCommand] = [200, 80];

const headlines: Readonly<Record<BlockerType, string>> = {
  build_error: "The build failed",
  test_failure: "Tests failed",
  dependency: "A dependency could not be had",
  design_issue: "The design has an open issue",
  review_blocked: "A review asks for changes",
  ci_failure: "A run of CI failed",
  merge_conflict: "Changes are in conflict",
  decision_required: "A decision is needed",
  other: "The work is blocked",
};

/** Turns a finding into a detection, with a sentence for people. */
export function describeDetection({ rule, line }: Finding, command: string): Detection {
  const { type, tool, resolution, severity = severityOf(type) } = rule;
  const errorPattern = line === undefined ? undefined : cut(line.replace(/[\s━─]{3,}$/, ""), mostOfPattern);
  const where = `${headlines[type]} in \`${cut(command.replaceAll("`", "'"), mostOfCommand)}\``;
  return {
    type,
    severity,
    description: errorPattern === undefined ? `${where}.` : `${where}: ${errorPattern}`,
    ...(errorPattern === undefined ? {} : { errorPattern }),
    resolution,
    tool,
  };
}

/** Makes one short line of a text. */
export function cut(text: string, most: number): string {
  const line = text
    .slice(0, most * 10)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
