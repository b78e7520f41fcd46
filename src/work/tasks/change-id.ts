import { usageError } from "../../lib/app-error.ts";

/** Tells whether a text can be the id of a change: the name of one folder, which is no path and no option. */
export function isChangeId(text: string): boolean {
  const isName = /^[^\p{C}/\\.\s-][^\p{C}/\\]*$/u.test(text) && !text.endsWith(" ");
  return isName && text.toLowerCase() !== "archive" && Buffer.byteLength(text) <= 200;
}

/** Throws when a text that somebody gave cannot be the id of a change. */
export function refuseChangeId(text: string): void {
  if (isChangeId(text)) return;
  throw usageError("invalid-change", "This cannot be the id of a change of OpenSpec.", {
    hint: "Give the name of a folder in openspec/changes.",
  });
}
