import { AppError } from "../lib/app-error.ts";
import { toPrintable, toPrintableLine } from "../lib/printable.ts";
import type { Style } from "../lib/style.ts";
import { wrapLine } from "../lib/terminal-text.ts";
import { renderJson } from "./command-context.ts";
import { Interrupted } from "./interrupted.ts";

interface ErrorText {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface ReportOptions {
  readonly form: "text" | "json";
  /** Whether to show where an unexpected error came from. */
  readonly debug: boolean;
  readonly style: Style;
  /** How wide the terminal is; undefined in a pipe. */
  readonly columns?: number | undefined;
  /** Takes out of a text what must not be repeated. */
  readonly hide: (text: string) => string;
}

/** Turns an error into what a person or, as JSON, a script reads on standard error. Nothing in it can act on a terminal. */
export function reportError(error: unknown, options: ReportOptions): string {
  const { form, debug, style, columns, hide } = options;
  if (error instanceof Interrupted) return "";
  const { code, ...told } = toErrorText(error);
  const message = hide(told.message);
  const hint = told.hint === null ? null : hide(told.hint);
  if (form === "json") return `${renderJson({ error: { code, message, hint } })}\n`;
  const lines = [
    wrapLine(`carryon: ${toPrintableLine(message)}`, columns, "  ").replace(
      "carryon:",
      style.red("carryon:"),
    ),
    ...(hint === null
      ? []
      : toPrintable(hint)
          .split("\n")
          .map((line) => `  ${wrapLine(line, columns, "  ")}`)),
    ...(debug ? [indent(toPrintable(hide(describeStack(error))))] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function toErrorText(error: unknown): ErrorText {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, hint: error.hint ?? null };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "internal",
    message: `Something went wrong inside Carryon: ${reason}`,
    hint: "Set CARRYON_DEBUG=1 to see where, and please report it.",
  };
}

function describeStack(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${describeStack(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}
