/** One line that only the one or only the other of two texts has, and its number there. */
export interface DiffLine {
  readonly sign: "+" | "-";
  readonly number: number;
  readonly text: string;
}

/** Returns the lines in which two texts differ, in order; the fewest that there can be. Costs their product. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, young] = [toLines(before), toLines(after)];
  const shared = countShared(old, young);
  const found: DiffLine[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < young.length) {
    const step = chooseStep(shared, old, young, [one, other]);
    if (step === "-") found.push({ sign: step, number: one + 1, text: old[one] ?? "" });
    if (step === "+") found.push({ sign: step, number: other + 1, text: young[other] ?? "" });
    if (step !== "+") one += 1;
    if (step !== "-") other += 1;
  }
  return found;
}

function chooseStep(
  shared: readonly (readonly number[])[],
  old: readonly string[],
  young: readonly string[],
  [one, other]: readonly [number, number],
): "+" | "-" | "=" {
  if (one === old.length) return "+";
  if (other === young.length) return "-";
  if (old[one] === young[other]) return "=";
  return (shared[one + 1]?.[other] ?? 0) >= (shared[one]?.[other + 1] ?? 0) ? "-" : "+";
}

/** Lines keep their ends, so that a last line without one differs from the same with one. */
function toLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== "");
}

/** Counts the lines that the rests of two texts share in order, for each pair of rests. */
function countShared(old: readonly string[], young: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(young.length + 1).fill(0));
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = young.length - 1; other >= 0; other -= 1) {
      const row = table[one] as number[];
      row[other] =
        old[one] === young[other]
          ? (table[one + 1]?.[other + 1] ?? 0) + 1
          : Math.max(table[one + 1]?.[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return table;
}
