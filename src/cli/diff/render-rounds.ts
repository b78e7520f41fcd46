import { toPrintableLine } from "../../lib/printable.ts";
import { truncate } from "../../lib/terminal-text.ts";
import type { DiffItem, SessionDiff } from "../../sessions/session-diff.ts";
import type { View } from "../transcript/render-part.ts";

/** What the worker of a side was told in a round. */
export interface ToldRound {
  readonly number: number;
  readonly by: "A" | "B" | "both";
  readonly text: string;
}

/** Lists what the workers were told, round by round: once where both were told the same. */
export function listToldRounds({ left, right }: SessionDiff): readonly ToldRound[] {
  const [ours, theirs] = [toRounds(left.items), toRounds(right.items)];
  const numbers = [...new Set([...ours.keys(), ...theirs.keys()])].sort((one, other) => one - other);
  return numbers.flatMap((number): readonly ToldRound[] => {
    const [one, other] = [ours.get(number), theirs.get(number)];
    if (one !== undefined && one === other) return [{ number, by: "both" as const, text: one }];
    return [
      ...(one === undefined ? [] : [{ number, by: "A" as const, text: one }]),
      ...(other === undefined ? [] : [{ number, by: "B" as const, text: other }]),
    ];
  });
}

function toRounds(items: readonly DiffItem[]): ReadonlyMap<number, string> {
  const rounds = items.filter(({ kind }) => kind === "round");
  return new Map(rounds.map(({ name, text }) => [Number(/\d+/.exec(name)?.[0] ?? 0), text]));
}

/** Lines beyond these are counted. */
const mostListed = 60;

/** Renders what the workers were told. */
export function renderRounds(diff: SessionDiff, { style, width }: View): readonly string[] {
  const told = listToldRounds(diff);
  if (told.length === 0) return [];
  const lines = told
    .slice(0, mostListed)
    .map(({ number, by, text }) => `  ${String(number).padStart(3)}  ${by.padEnd(4)}  ${text}`)
    .map((line) => truncate(toPrintableLine(line), width));
  const rest = told.length - mostListed;
  return ["", style.bold("Rounds"), ...lines, ...(rest > 0 ? [style.dim(`  … ${rest} more`)] : [])];
}
