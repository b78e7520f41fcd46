import type { EntryChanges } from "./watermark.ts";

/** Returns what became of decisions.md as sentences, each with a way out that destroys nothing; none when all is well. */
export function describeChanges({
  altered,
  missing,
  foreign,
  repeated,
  conflicts,
}: EntryChanges): readonly string[] {
  const others = foreign.filter((seq) => !altered.includes(seq));
  return [
    ...say(
      conflicts,
      (list) => `A git merge left its marks in lines ${list}; take out these lines and keep both sides.`,
    ),
    ...say(
      toNames(altered),
      (list) => `${list} was changed after it was recorded; what it said is in the log.`,
    ),
    ...say(
      toNames(missing),
      (list) => `${list} is gone; what it said is in the log and can be appended again.`,
    ),
    ...say(
      toNames(repeated),
      (list) => `${list} is there twice; append a decision that says which one counts.`,
    ),
    ...say(
      toNames(others),
      (list) => `${list} was written by somebody else: a merge, a clone or an editor brought it.`,
    ),
  ];
}

function toNames(numbers: readonly number[]): readonly string[] {
  return [...new Set(numbers)].map((seq) => `D${seq}`);
}

function say(listed: readonly unknown[], sentence: (list: string) => string): readonly string[] {
  return listed.length === 0 ? [] : [sentence(listed.join(", "))];
}
