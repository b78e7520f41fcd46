import { isAbsolute, posix, relative, sep } from "node:path";
import type { Json, ToolCallPart } from "../entry.ts";
import { fieldOf } from "../tool-runs.ts";

/** What makes it uncertain which file is meant: substitutions, here-documents, other folders, conditions, patterns. */
const uncertain = /[`$\\(){}[\]*?~#]|<<|\b(?:cd|pushd|popd|eval|source|exec|env|sudo|ssh|docker|xargs)\b/;
const quoted = /'[^'\n]*'|"[^"\n]*"/g;
const redirection = /(?:^|[\s;&|\d])(?:>>?\|?|&>>?)\s*([A-Za-z0-9._/-]+)(?=$|[\s;&|])/g;

/** A longer command is a program of its own. */
const longest = 4000;

/** Returns the files that a shell command certainly writes to by redirection; none where there is any doubt. */
export function redirectedFiles(command: string): readonly string[] {
  if (command.length > longest || !command.includes(">")) return [];
  const plain = command.replace(quoted, "q");
  if (uncertain.test(plain) || /['"]/.test(plain)) return [];
  // Inside double quotes a substitution would still be run, but it cannot redirect the command around it.
  const found = [...plain.matchAll(redirection)].map(([, path = ""]) => path);
  return [...new Set(found)].filter((path) => !path.startsWith("/dev/") && !/^\d+$/.test(path));
}

/** A file that a tool call names, and what the call does to it. */
export interface FileUse {
  readonly path: string;
  readonly use: "read" | "write";
}

/** The tools of Claude Code and our own that work on one file, and what they do to it. */
const uses: ReadonlyMap<string, FileUse["use"]> = new Map([
  ["Read", "read"],
  ["NotebookRead", "read"],
  ["Edit", "write"],
  ["Write", "write"],
  ["MultiEdit", "write"],
  ["NotebookEdit", "write"],
  ["read", "read"],
  ["write", "write"],
  ["edit", "write"],
]);

const pathFields = ["file_path", "notebook_path", "path"];
const shells: ReadonlySet<string> = new Set(["Bash", "bash"]);

/** Returns the files that a tool call names; of a shell only those that it certainly writes to. */
export function filesOf({ name, input }: ToolCallPart, cwd: string): readonly FileUse[] {
  const command = commandOf({ name, input });
  if (command !== undefined)
    return redirectedFiles(command).map((path) => ({ path: below(cwd, path), use: "write" }));
  const use = uses.get(name);
  const path = pathFields.map((field) => fieldOf(input, field)).find((each) => typeof each === "string");
  return use === undefined || typeof path !== "string" || path === ""
    ? []
    : [{ path: below(cwd, path), use }];
}

/** Returns the command that a shell was given; undefined for other tools. */
export function commandOf({
  name,
  input,
}: {
  readonly name: string;
  readonly input: Json;
}): string | undefined {
  const command = shells.has(name) ? fieldOf(input, "command") : undefined;
  return typeof command === "string" ? command : undefined;
}

/** Names a file from the folder of its session, so that two work trees call it the same. */
function below(cwd: string, path: string): string {
  if (!isAbsolute(path)) return posix.normalize(path);
  const way = relative(cwd, path);
  const isInside = way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
  return isInside ? way.split(sep).join("/") : path;
}
