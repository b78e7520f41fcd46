import { basename } from "node:path";
import { type ExportFormat, exportFormats } from "../../exchange/export-sessions.ts";

const endings: readonly (readonly [ending: string, format: ExportFormat])[] = [
  [".claude-master.json", "claude-master"],
  [".jsonl", "carryon"],
  [".carryon", "carryon"],
  [".json", "json"],
  [".md", "md"],
  [".markdown", "md"],
  [".html", "html"],
  [".htm", "html"],
  [".sexp", "sexp"],
  [".lisp", "sexp"],
];

/** Tells whether a file is named as an encrypted one is. */
export function isNamedEncrypted(file: string | undefined): boolean {
  return file?.toLowerCase().endsWith(".age") ?? false;
}

/** Returns the format that was asked for, else the one that the name of the file says, else that of our own. */
export function chooseFormat(given: string | undefined, file: string | undefined): ExportFormat {
  const asked = exportFormats.find((format) => format === given);
  if (asked !== undefined) return asked;
  const name = basename(file ?? "")
    .toLowerCase()
    .replace(/\.age$/, "");
  return endings.find(([ending]) => name.endsWith(ending))?.[1] ?? "carryon";
}
