import { dirname, relative, resolve } from "node:path";
import { askGit } from "../../work/git.ts";
import { type FileChange, readText } from "./file-change.ts";
import type { Install } from "./install-record.ts";

/** How a file is kept out of commits. */
export interface Exclusion {
  readonly change: FileChange;
  readonly record: Install["exclude"];
}

/** Plans to keep a file out of commits; undefined where it is out already, or where commits have it. */
export async function planExclusion(root: string, file: string): Promise<Exclusion | undefined> {
  const name = relative(root, file);
  const ignored = await askGit(root, ["check-ignore", "--quiet", "--", name]);
  if (ignored.code !== 1 || (await isTracked(root, file))) return undefined;
  const path = await locateExclusions(root);
  if (path === undefined) return undefined;
  const before = await readText(path);
  const added = renderAdded(before, [toPattern(name)]);
  return {
    change: { path, before, after: `${before ?? ""}${added}` },
    record: { path, added, made: before === undefined },
  };
}

/** Returns what has to be added to a list of what git leaves out, so that it holds more lines. */
export function renderAdded(before: string | undefined, lines: readonly string[]): string {
  const newline = before === undefined || before === "" || before.endsWith("\n") ? "" : "\n";
  return `${newline}${lines.join("\n")}\n`;
}

/** Returns the line for a path from the top of a repository; git takes some characters for more than that. */
export function toPattern(path: string): string {
  return `/${path.replaceAll("\\", "/").replace(/[*?[\] ]/g, "\\$&")}`;
}

/** Returns the file in which git is told what to leave out; undefined outside a repository. */
export async function locateExclusions(root: string): Promise<string | undefined> {
  const answer = await askGit(root, ["rev-parse", "--git-path", "info/exclude"]);
  return answer.code === 0 ? resolve(root, answer.stdout.replace(/\n$/, "")) : undefined;
}

/** Tells whether commits hold a file, so that what is written into it would be committed. */
export async function isTracked(root: string, file: string): Promise<boolean> {
  return (await askGit(root, ["ls-files", "--error-unmatch", "--", relative(root, file)])).code === 0;
}

/** Plans to take an exclusion back; undefined where it has gone already. */
export async function planInclusion({
  path,
  added,
  made,
}: NonNullable<Install["exclude"]>): Promise<FileChange | undefined> {
  const before = await readText(path);
  if (before === undefined) return undefined;
  const at = findAtLineStart(before, added);
  if (at === undefined) return undefined;
  const rest = before.slice(0, at) + before.slice(at + added.length);
  const folders = made ? [dirname(path)] : [];
  return { path, before, after: made && rest === "" ? undefined : rest, folders };
}

/** Returns where a text stands last that begins a line; another line may end like it. */
function findAtLineStart(text: string, wanted: string): number | undefined {
  for (let at = text.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(wanted, at - 1)) {
    if (at === 0 || wanted.startsWith("\n") || text[at - 1] === "\n") return at;
  }
  return undefined;
}
