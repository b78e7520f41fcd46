import { BadSetting } from "../lib/bad-setting.ts";
/** A folder inside a project by its path from the top, with `/` between its parts; or why a text names none. */
export type SddDir =
  | { readonly type: "folder"; readonly path: string }
  | { readonly type: "refused"; readonly reason: string };

/** Reads the folder of the documents as a user writes it. Nothing is looked up on disk. */
export function parseSddDir(text: string): SddDir {
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  const reason = findFault(text, parts);
  return reason === undefined ? { type: "folder", path: parts.join("/") } : { type: "refused", reason };
}

function findFault(text: string, parts: readonly string[]): string | undefined {
  // It would end a line of the list of what git leaves out.
  if (/\p{Cc}/u.test(text)) return "it has a control character";
  if (text.includes("\\")) return "it has a backslash";
  // Drives of Windows too, so that the same file means the same everywhere; and nobody wants a folder of the name `~`.
  if (text.startsWith("/") || /^(?:~$|[a-z]:)/i.test(parts[0] ?? ""))
    return "it does not begin at the top of the project";
  if (parts.includes("..")) return "it leads out of the project";
  if (parts.some(isOfGit)) return "it is in the folder of git";
  return parts.length === 0 ? "it names no folder" : undefined;
}

/** Tells whether some file system takes a name for `.git`: there are those that overlook case, ends and hidden characters. */
function isOfGit(part: string): boolean {
  return /^(?:\.git[ .]*|git~1)$/i.test(part.replace(/\p{Cf}/gu, ""));
}

/** Reads the setting `sddDir`. */
export function readSddDir(value: unknown): string {
  const hint = "Write a line such as `sddDir: docs/sdd`; it is a folder inside each project.";
  if (typeof value !== "string") throw new BadSetting("sddDir must be text", hint);
  const dir = parseSddDir(value);
  if (dir.type === "folder") return dir.path;
  throw new BadSetting(`sddDir is not a folder inside a project: ${dir.reason}`, hint);
}
