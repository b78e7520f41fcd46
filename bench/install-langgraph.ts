import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { peersFolder } from "./work-folder.ts";

/** What is installed, pinned: a newer release must not change the figures unseen. */
const versions = {
  "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
  "@langchain/langgraph-checkpoint": "1.1.5",
  "@langchain/core": "1.2.13",
  "better-sqlite3": "12.11.1",
} as const;

/** LangGraph, ready to run. */
export interface InstalledPeer {
  readonly folder: string;
  /** The Node that its native module was built for: the machine's own. */
  readonly node: string;
  readonly versions: Readonly<Record<string, string>>;
}

const timeout = 8 * 60_000;

/** Installs LangGraph's SqliteSaver into the cache folder, once. Throws where that is not possible. */
export function installLangGraph(): InstalledPeer {
  const node = locateNode();
  const peer = { folder: peersFolder, node, versions };
  if (loads(peer)) return peer;
  mkdirSync(peersFolder, { recursive: true });
  writeFileSync(join(peersFolder, "package.json"), '{ "private": true }\n');
  const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  // Install scripts are blocked by newer releases of npm, so the one that is needed is run by name.
  npm(node, ["install", "--prefix", peersFolder, "--no-save", "--ignore-scripts", ...packages], peersFolder);
  npm(node, ["run", "install"], join(peersFolder, "node_modules", "better-sqlite3"));
  if (!loads(peer)) throw new Error(`it was installed, but ${node} cannot load it`);
  return peer;
}

/** Tells whether the native module is there and fits the Node. */
function loads({ folder, node }: Pick<InstalledPeer, "folder" | "node">): boolean {
  try {
    const script =
      'new (require("better-sqlite3"))(":memory:"); require("@langchain/langgraph-checkpoint-sqlite")';
    execFileSync(node, ["-e", script], { cwd: folder, stdio: "ignore" });
    return true;
  } catch {
    // Not installed yet, or for another Node: both are cured by installing.
    return false;
  }
}

/** Finds the machine's own Node: the one of `node_modules` has no headers to build a native module with. */
function locateNode(): string {
  const found = pathFolders()
    .map((folder) => join(folder, "node"))
    .filter(isExecutable)
    .find((path) => !realpathSync(path).includes(`${sep}node_modules${sep}`));
  return found ?? process.execPath;
}

function pathFolders(): readonly string[] {
  const all = (process.env.PATH ?? "").split(delimiter);
  return all.filter((folder) => folder !== "" && !folder.includes(`${sep}node_modules${sep}`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not for us.
    return false;
  }
}

function npm(node: string, args: readonly string[], cwd: string): void {
  const prefix = dirname(dirname(realpathSync(node)));
  const headers = existsSync(join(prefix, "include", "node", "node.h")) ? { npm_config_nodedir: prefix } : {};
  const PATH = [dirname(node), ...pathFolders()].join(delimiter);
  try {
    execFileSync("npm", args, { cwd, timeout, stdio: "pipe", env: { ...process.env, ...headers, PATH } });
  } catch (error) {
    throw new Error(`\`npm ${args.slice(0, 2).join(" ")}\` failed: ${firstLine(error)}`, { cause: error });
  }
}

function firstLine(error: unknown): string {
  const { stderr } = error as { readonly stderr?: Buffer };
  const lines = (stderr?.toString() ?? String(error)).split("\n");
  return lines.find((line) => /err/i.test(line) && !/warn/i.test(line)) ?? lines[0] ?? "";
}
