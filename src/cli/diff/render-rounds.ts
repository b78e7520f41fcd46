import type { DiffItem, SessionDiff } from "../../conversation/diff/session-diff.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { truncate } from "../../lib/terminal-text.ts";
import type { View } from "../transcript/render-part.ts";

/** Rounds beyond these are counted. */
const mostListed = 60;

/** Renders what the worker of each side was told, round by round: once where both were told the same. */
export function renderRounds({ left, right }: SessionDiff, { style, width }: View): readonly string[] {
  const [ours, theirs] = [listRounds(left.items), listRounds(right.items)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])].sort(
    (one, other) => numberIn(one) - numberIn(other),
  );
  const lines = names
    .slice(0, mostListed)
    .flatMap((name) => renderRound(numberIn(name), ours.get(name), theirs.get(name)))
    .map((line) => truncate(toPrintableLine(line), width));
  if (lines.length === 0) return [];
  const rest = names.length - mostListed;
  return ["", style.bold("Rounds"), ...lines, ...(rest > 0 ? [style.dim(`  … ${rest} more`)] : [])];
}

function listRounds(items: readonly DiffItem[]): ReadonlyMap<string, string> {
  return new Map(items.flatMap(({ kind, name, text }) => (kind === "round" ? [[name, text] as const] : [])));
}

function numberIn(name: string): number {
  return Number(/\d+/.exec(name)?.[0] ?? 0);
}

function renderRound(number: number, left: string | undefined, right: string | undefined): readonly string[] {
  const line = (side: string, text: string) => `  ${String(number).padStart(3)}  ${side.padEnd(4)}  ${text}`;
  if (left !== undefined && left === right) return [line("both", left)];
  return [
    ...(left === undefined ? [] : [line("A", left)]),
    ...(right === undefined ? [] : [line("B", right)]),
  ];
}
