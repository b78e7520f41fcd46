import { isAbsolute, relative } from "node:path";
import { isShell, readShellCall } from "../../outcomes/shell-result.ts";
import type { Json, ToolCallPart } from "../../sessions/entry.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import type { Source, UsedFile } from "../digest.ts";

/** What tools do, whatever their clients call them, and the fields that name the object of a call. */
const roles = {
  edit: {
    names:
      "edit multiedit write notebookedit write_file replace edit_file apply_patch create_file str_replace_editor",
    fields: ["file_path", "notebook_path", "path", "filePath", "absolute_path"],
  },
  read: {
    names: "read read_file view open_file notebookread",
    fields: ["file_path", "path", "filePath", "absolute_path"],
  },
  ask: { names: "askuserquestion ask_user question", fields: ["question", "questions"] },
  plan: { names: "exitplanmode update_plan", fields: ["plan", "explanation"] },
  agent: { names: "task agent subagent spawn_agent", fields: ["description", "prompt", "task"] },
} as const;

type Role = keyof typeof roles;

const roleOf: ReadonlyMap<string, Role> = new Map(
  (Object.keys(roles) as Role[]).flatMap((role) =>
    roles[role].names.split(" ").map((name) => [name, role] as const),
  ),
);

/** Returns what a tool does; undefined for one that says nothing about the work. */
export function toolRole(name: string): Role | "shell" | undefined {
  return isShell(name) ? "shell" : roleOf.get(name.toLowerCase());
}

/** A longer command is a script that was written in place. */
const longestAbout = 20_000;

/** Returns the command, file, question or task that a call is about. */
export function aboutOf(call: ToolCallPart): string {
  const role = toolRole(call.name);
  if (role === "shell") return (readShellCall(call) ?? "").slice(0, longestAbout);
  const names = role === undefined ? ["description", "query", "pattern", "url", "skill"] : roles[role].fields;
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
