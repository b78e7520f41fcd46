import { createHash } from "node:crypto";

/** Sections that name others and their branches: they hide no file, and git changes them whenever a branch is pushed. */
const nameOnly = /^\s*\[\s*(?:branch|remote|user|submodule)(?:\s+"(?:[^"\\]|\\.)*")?\s*\]\s*(?:[#;].*)?$/i;

/**
 * Returns a hash of what settings of git may do to what it shows and runs. Whatever is not plainly a section that does
 * nothing of it counts, as it stands.
 */
export function hashSettings(text: string): string {
  return createHash("sha256").update(dropNames(text)).digest("hex");
}

function dropNames(text: string): string {
  const lines = text.split("\n");
  // A line that goes on in the next one may make a heading part of a value.
  if (lines.some((line) => /\\\r?$/.test(line))) return text;
  let isDropped = false;
  return lines
    .filter((line) => {
      if (/^\s*\[/.test(line)) isDropped = nameOnly.test(line);
      return !isDropped && line.trim() !== "";
    })
    .join("\n");
}
