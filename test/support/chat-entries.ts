import type { Entry, EntryContent, Json, Message, Part } from "../../src/sessions/entry.ts";
import { type EntryId, mainStrand, type SessionId } from "../../src/sessions/ids.ts";
import { start } from "./entries.ts";

/** Numbers contents in a row, as a path has them. */
export function pathOf(...contents: readonly EntryContent[]): readonly Entry[] {
  return contents.map((content, index) => ({
    ...content,
    id: `e${index + 1}` as EntryId,
    session: "one" as SessionId,
    seq: index + 1,
    parent: index === 0 ? null : (`e${index}` as EntryId),
    strand: mainStrand,
    at: start,
  }));
}

export const text = (words: string): Part => ({ type: "text", text: words });
export const call = (id: string, input: Json = {}): Part => ({
  type: "tool-call",
  call: id,
  name: "read",
  input,
});
export const result = (id: string, output = "done"): Part => ({ type: "tool-result", call: id, output });
const message = (role: Message["role"], ...parts: readonly Part[]): EntryContent => ({
  kind: "message",
  role,
  parts,
});
export const user = (...parts: readonly Part[]) => message("user", ...parts);
export const assistant = (...parts: readonly Part[]) => message("assistant", ...parts);
export const tool = (...parts: readonly Part[]) => message("tool", ...parts);
