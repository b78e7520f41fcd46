import { type CheckResult, isUnseen } from "../../outcomes/checks.ts";
import type { Source } from "../digest.ts";
import { type Line, line } from "../line.ts";
import { clip } from "./clip.ts";
import { describeCheck } from "./wrong-lines.ts";

/** Returns the last result of each kind of check, and of its widest run. */
export function checkLines(results: readonly CheckResult[]): readonly Line[] {
  const kinds = new Map<string, CheckResult[]>();
  for (const result of results.toReversed()) {
    const kind = `${result.goal} ${result.command.split(" ").slice(0, 3).join(" ")}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), result]);
  }
  const shown = [...kinds.values()].flatMap((each) => {
    const [newest] = each;
    const whole = each.find(({ isWide }) => isWide);
    return newest === undefined ? [] : whole === undefined || whole === newest ? [newest] : [newest, whole];
  });
  const newestFirst = shown.toSorted((one, other) => other.at - one.at).slice(0, 10);
  const unseen = newestFirst.filter(isUnseen);
  const overtaken = newestFirst.filter((each) => each.isOvertaken === true);
  const plain = newestFirst.filter((each) => each.passed && !isTelling(each));
  return [
    ...newestFirst
      .filter((each) => ![...plain, ...unseen, ...overtaken].includes(each))
      .map((result) => line(describeCheck(result), sourceOf(result), worthOfCheck(result))),
    ...together("Passed", plain, 2.2),
    ...together("Run, result not seen", unseen, 1.2),
    ...together("Failed before other runs passed and work was committed", overtaken, 0.8),
  ];
}

function together(state: string, results: readonly CheckResult[], worth: number): readonly Line[] {
  if (results.length === 0) return [];
  const commands = results.map(({ command }) => clip(command, 80)).join("; ");
  return [line(`${state}: ${commands}`, results.map(sourceOf), worth)];
}

function sourceOf({ entry, at }: CheckResult): Source {
  return { entry, seq: 0, at };
}

/** A line says more than that the check passed when it counts something. */
function isTelling({ line: said }: CheckResult): boolean {
  return /\d+ (?:\w+ )?(?:tests?|passed|pass|failures?|issues?|errors?|warnings?|problems?|examples?|assertions?|files?)\b|\bno (?:issues|errors|problems)\b|all checks/i.test(
    said,
  );
}

/** Failures first, then how to test and lint the whole; to format is said by the way. */
function worthOfCheck({ passed, goal, isWide, command }: CheckResult): number {
  if (!passed) return 4;
  const isFormat = /\b(?:fmt|format|prettier)\b/.test(command);
  return (goal === "test" ? 2 : goal === "lint" ? 1.5 : 1) + (isWide ? 1 : 0) - (isFormat ? 1 : 0);
}
