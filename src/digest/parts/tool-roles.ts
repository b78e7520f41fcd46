import { isAbsolute, relative } from "node:path";
import { isShell, readShellCall } from "../../outcomes/shell-result.ts";
import type { Json, ToolCallPart } from "../../sessions/entry.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import type { Source, UsedFile } from "../digest.ts";

/** What a tool does, whatever its client calls it. */
export type ToolRole = "shell" | "edit" | "read" | "ask" | "plan" | "agent";

/** The names that coding agents give to their tools, in lower case. */
const roles: ReadonlyMap<string, ToolRole> = new Map(
  (
    [
      [
        "edit",
        "edit multiedit write notebookedit write_file replace edit_file apply_patch create_file str_replace_editor",
      ],
      ["read", "read read_file view open_file notebookread"],
      ["ask", "askuserquestion ask_user question"],
      ["plan", "exitplanmode update_plan"],
      ["agent", "task agent subagent spawn_agent"],
    ] as const
  ).flatMap(([role, names]) => names.split(" ").map((name) => [name, role] as const)),
);

/** Returns what a tool does; undefined for one that says nothing about the work. */
export function toolRole(name: string): ToolRole | undefined {
  return isShell(name) ? "shell" : roles.get(name.toLowerCase());
}

/** The fields that name the object of a call, by role. */
const fields: Readonly<Record<Exclude<ToolRole, "shell">, readonly string[]>> = {
  edit: ["file_path", "notebook_path", "path", "filePath", "absolute_path"],
  read: ["file_path", "path", "filePath", "absolute_path"],
  ask: ["question", "questions"],
  plan: ["plan", "explanation"],
  agent: ["description", "prompt", "task"],
};

/** A longer command is a script that was written in place. */
const longestAbout = 6000;

/** Returns the command, file, question or task that a call is about. */
export function aboutOf(call: ToolCallPart): string {
  const role = toolRole(call.name);
  if (role === "shell") return (readShellCall(call) ?? "").slice(0, longestAbout);
  const names = role === undefined ? ["description", "query", "pattern", "url", "skill"] : fields[role];
  const values = names.map((name) => fieldOf(call.input, name));
  return (values.map(textIn).find((text) => text !== "") ?? "").slice(0, longestAbout);
}

/** Returns a text, or those of a list of questions. */
function textIn(value: Json | undefined): string {
  if (typeof value === "string") return value;
  const texts = Array.isArray(value) ? value.map((each) => fieldOf(each, "question") ?? each) : [];
  return texts.filter((text) => typeof text === "string").join(" ");
}

/** Returns a path as the project knows it; undefined for a file outside of it. */
export function projectPath(path: string, cwd: string): string | undefined {
  if (path === "" || !isAbsolute(path)) return path === "" ? undefined : path;
  const inside = relative(cwd, path);
  return cwd === "" || inside.startsWith("..") || isAbsolute(inside) ? undefined : inside;
}

/** Tells whether a file is made by a tool, so that nobody needs to be sent to it. */
export function isGenerated(path: string): boolean {
  return /(?:^|\/)(?:_build|node_modules|dist|target|vendor|\.venv|build|coverage|__pycache__)\//.test(path);
}

const mostFiles = 150;

/** Adds a file to those that a session used; the newest stands last. */
export function useFile(
  files: readonly UsedFile[],
  path: string | undefined,
  source: Source,
): readonly UsedFile[] {
  if (path === undefined) return files;
  const times = (files.find((each) => each.path === path)?.times ?? 0) + 1;
  return [...files.filter((each) => each.path !== path), { ...source, path, times }].slice(-mostFiles);
}
