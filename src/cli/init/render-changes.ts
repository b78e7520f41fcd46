import { extname } from "node:path";
import type { FileChange } from "../../install/file-change.ts";
import { diffLines } from "../../lib/diff-lines.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { CommandContext } from "../command-context.ts";

/** Renders exactly what will become of files: each path, and every line that comes and goes; of programs only their size. */
export function renderChanges(
  changes: readonly FileChange[],
  { style }: Pick<CommandContext, "style">,
): string {
  return changes
    .map((change) => `${style.bold(renderTitle(change))}\n${renderLines(change, style)}`)
    .join("");
}

/** Renders which file it is, its size if it is a program, and what becomes of it. */
export function renderTitle({ path, before, after }: FileChange): string {
  const size = isProgram(path) && after !== undefined ? `${formatBytes(Buffer.byteLength(after))}, ` : "";
  const what = before === undefined ? "new" : after === undefined ? "removed" : "changed";
  return `${toPrintableLine(path)} (${size}${what})`;
}

/** Renders the lines of a file that come and go; none of a program. */
export function renderLines(
  { path, before = "", after = "" }: FileChange,
  style: CommandContext["style"],
): string {
  if (isProgram(path)) return "";
  return diffLines(before, after)
    .map(({ sign, number, text }) => {
      const line = `  ${String(number).padStart(4)} ${sign} ${toPrintableLine(text.replace(/\r?\n$/, ""))}`;
      return `${sign === "+" ? style.green(line) : style.red(line)}\n`;
    })
    .join("");
}

function isProgram(path: string): boolean {
  return extname(path) === ".cjs";
}
