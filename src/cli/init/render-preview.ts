import { extname, relative } from "node:path";
import { type InstalledHook, listHooks } from "../../clients/claude-code/hook-settings.ts";
import type { FileChange } from "../../install/file-change.ts";
import { isBlank } from "../../install/read-settings.ts";
import { formatBytes } from "../../lib/describe.ts";
import { diffLines } from "../../lib/diff-lines.ts";
import { hookFile } from "../../lib/hook-files.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrap } from "../../lib/terminal-text.ts";
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
function renderTitle({ path, before, after }: FileChange): string {
  const size = isProgram(path) && after !== undefined ? `${formatBytes(Buffer.byteLength(after))}, ` : "";
  const what = before === undefined ? "new" : after === undefined ? "removed" : "changed";
  return `${toPrintableLine(path)} (${size}${what})`;
}

/** Renders the lines of a file that come and go; none of a program. */
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

type PreviewContext = Pick<CommandContext, "style" | "columns">;

/**
 * Renders what will become of files, short enough to be read before one consents.
 *
 * The command that is the same at each event stands there once, and of the files in the home folder of Carryon, of
 * commands and of skills only their names; all other lines that come and go are shown.
 */
export function renderPreview(changes: readonly FileChange[], home: string, context: PreviewContext): string {
  const own = changes.filter(({ path }) => !relative(home, path).startsWith(".."));
  const others = changes.filter((change) => !own.includes(change));
  const shown = others.map((change) => {
    const lines = isSettings(change)
      ? renderHooks(change, context)
      : isText(change)
        ? ""
        : renderLines(change, context.style);
    return `${context.style.bold(renderTitle(change))}\n${lines}`;
  });
  const listed = own.map((change) => `  ${renderTitle(change)}\n`).join("");
  const ours = own.length === 0 ? "" : `${context.style.bold("Carryon's own files")}\n${listed}`;
  // What is not ours stands last, next to the question.
  return `${ours}${shown.join("")}${context.style.dim("Add --dry-run to see every line.")}\n`;
}

/** Renders which hooks come and go in the settings: each command once, and the events at which it is run. */
function renderHooks(
  { before = "{}", after = "{}" }: FileChange,
  { style, columns = 80 }: PreviewContext,
): string {
  const [old, young] = [hooksOf(before), hooksOf(after)];
  const gone = old.filter((hook) => !young.some((each) => isSame(each, hook)));
  const come = young.filter((hook) => !old.some((each) => isSame(each, hook)));
  const render = (sign: "+" | "-", hooks: readonly InstalledHook[]) =>
    [...Map.groupBy(hooks, ({ command }) => command)].map(([command, own]) => {
      const events = wrap(
        `at ${own.map(({ event }) => event).join(", ")}`,
        columns - 6,
        "      ",
      ).trimStart();
      const text = `  ${sign} ${events}\n    run: ${toPrintableLine(command)}`;
      return `${text
        .split("\n")
        .map(sign === "+" ? style.green : style.red)
        .join("\n")}\n`;
    });
  return `${[...render("-", gone), ...render("+", come)].join("")}`;
}

/** The client accepts settings that say nothing at all. */
function hooksOf(settings: string): readonly InstalledHook[] {
  return isBlank(settings) ? [] : listHooks(settings);
}

/** Commands and skills are pages long, and only ever new, ours or gone. */
function isText({ path }: FileChange): boolean {
  return extname(path) === ".md";
}

/** Nothing else that is written outside our home names our hook. */
function isSettings({ before = "", after = "" }: FileChange): boolean {
  return before.includes(hookFile) || after.includes(hookFile);
}

function isSame(one: InstalledHook, other: InstalledHook): boolean {
  return one.event === other.event && one.command === other.command;
}
