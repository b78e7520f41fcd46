import { basename } from "node:path";
import type { ExportFormat } from "./export-sessions.ts";

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

/** Returns the format that the name of a file says, else that of our own. */
export function formatOfFile(file: string): ExportFormat {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.age$/, "");
  return endings.find(([ending]) => name.endsWith(ending))?.[1] ?? "carryon";
}
