import { basename } from "node:path";
import type { GateStatus } from "../../gates/read-gate-status.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { Look } from "../../lib/style.ts";
import { renderFact } from "../../work/render-work.ts";

/** Renders in a line how many gates are satisfied and which are not, and in others what waits or is wrong. */
export function renderGatesLine(status: GateStatus, look: Look): readonly string[] {
  const { rows, inert, waiting, problems } = status;
  const open = rows.flatMap(({ gate, judgement }) => (judgement.satisfied ? [] : [gate.name]));
  const which = open.length === 0 ? "" : `; not ${open.join(", ")}`;
  const lines = [
    ...(inert === undefined ? [] : [inert]),
    ...(rows.length === 0 || inert !== undefined
      ? []
      : [`${rows.length - open.length} of ${rows.length} satisfied${which}`]),
    ...waiting.map((path) => `${basename(path)} counts once you trust this project: \`carryon trust\``),
  ];
  const wrong = `${plural(problems.length, "problem")}; see \`carryon gate\``;
  const name = (at: number) => (at === 0 ? "Gates" : "");
  return [
    ...lines.map((line, at) => renderFact(look, name(at), toPrintableLine(line))),
    ...(problems.length === 0 ? [] : [renderFact(look, name(lines.length), wrong, look.style.red)]),
  ];
}
