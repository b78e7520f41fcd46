import { isAbsolute, relative } from "node:path";
import type { Json } from "../../sessions/entry.ts";
import { fieldOf } from "../../sessions/tool-runs.ts";
import type { Source, UsedFile } from "../digest.ts";

/** What a tool does, whatever its client calls it. */
export type ToolRole = "shell" | "edit" | "read" | "ask" | "plan" | "agent";

/** The names that coding agents give to their tools, in lower case. */
const roles: ReadonlyMap<string, ToolRole> = new Map(
  (
    [
      ["shell", "bash shell local_shell exec_command run_shell_command run_terminal_cmd execute run_command"],
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
  return roles.get(name.toLowerCase());
}

/** The fields that name the object of a call, by role. */
const fields: Readonly<Record<ToolRole, readonly string[]>> = {
  shell: ["command", "cmd"],
  edit: ["file_path", "notebook_path", "path", "filePath", "absolute_path"],
  read: ["file_path", "path", "filePath", "absolute_path"],
  ask: ["question", "questions"],
  plan: ["plan", "explanation"],
  agent: ["description", "prompt", "task"],
};

/** A longer command is a script that was written in place. */
const longestAbout = 6000;

/** Returns the command, file, question or task that a call is about. */
export function aboutOf(role: ToolRole | undefined, input: Json): string {
  const names = role === undefined ? ["description", "query", "pattern", "url", "skill"] : fields[role];
  for (const name of names) {
    const value = fieldOf(input, name);
    if (typeof value === "string" && value !== "") return value.slice(0, longestAbout);
    if (Array.isArray(value)) return listWords(value).slice(0, longestAbout);
  }
  return "";
}

/** A command may be a list of words, questions a list of objects. */
function listWords(values: readonly Json[]): string {
  const texts = values.map((value) => (typeof value === "string" ? value : fieldOf(value, "question")));
  const words = texts.filter((text) => typeof text === "string");
  // `["bash", "-lc", "make"]` runs the last word.
  return words.length === 3 && /^-\w*c$/.test(words[1] ?? "") ? (words[2] ?? "") : words.join(" ");
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
