import { extname } from "node:path";
import { diffLines } from "../../lib/diff-lines.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { FileChange } from "../../project/install/file-change.ts";
import type { CommandContext } from "../command-context.ts";

/** Renders what will become of files: each path, and the lines that come and go; of programs only their size. */
export function renderChanges(
  changes: readonly FileChange[],
  { style }: Pick<CommandContext, "style">,
): string {
  return changes
    .map((change) => `${style.bold(renderTitle(change))}\n${renderLines(change, style)}`)
    .join("");
}

function renderTitle({ path, before, after }: FileChange): string {
  const size = isProgram(path) && after !== undefined ? `${formatBytes(Buffer.byteLength(after))}, ` : "";
  const what = before === undefined ? "new" : after === undefined ? "removed" : "changed";
  return `${toPrintableLine(path)} (${size}${what})`;
}

function renderLines({ path, before = "", after = "" }: FileChange, style: CommandContext["style"]): string {
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
