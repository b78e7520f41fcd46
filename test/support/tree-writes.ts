import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findWrites, type MarkedPlace, markTree, type Writes } from "../../src/gates/measure/find-writes.ts";
import { listGrounds, locateMarks } from "../../src/gates/measure/grounds.ts";
import { parseTreeMark, renderTreeMark, type TreeMark } from "../../src/gates/measure/tree-mark.ts";
import { describePath } from "../../src/git/git-path.ts";
import { gitEnv } from "./git-repo.ts";

/** Returns the place of a repository whose git folder is its own. */
export function placeOf(root: string): MarkedPlace {
  const commonFolder = join(root, ".git");
  const user = join(root, "..", "client", "requirements.yaml");
  const grounds = listGrounds({ root, commonFolder, user, env: gitEnv });
  return { root, folder: locateMarks(commonFolder), env: gitEnv, grounds };
}

/** Runs a command in a shell. */
export async function shell(cwd: string, command: string): Promise<void> {
  const env = {
    ...gitEnv,
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "protocol.file.allow",
    GIT_CONFIG_VALUE_0: "always",
    // A git that tidies up in the background would hold the output, and with it this wait.
    GIT_CONFIG_KEY_1: "maintenance.auto",
    GIT_CONFIG_VALUE_1: "false",
  };
  const running = promisify(execFile)("sh", ["-ec", command], { cwd, env });
  running.child.stdin?.end();
  await running;
}

/** Marks a work tree, as it is kept and read again. */
export async function markOf(place: MarkedPlace): Promise<TreeMark> {
  const mark = await markTree(place);
  if ("unknown" in mark) throw new Error(mark.unknown);
  const read = parseTreeMark(renderTreeMark(mark));
  if (read === undefined) throw new Error("The mark cannot be read.");
  return read;
}

/** Returns what a command writes, for people. */
export async function writesOf(place: MarkedPlace, command: string): Promise<readonly string[]> {
  const mark = await markOf(place);
  await shell(place.root, command);
  return tellWrites(await findWrites(place, mark));
}

/** Returns what was written, for people, and what is not known in brackets. */
export function tellWrites({ paths, unknown }: Writes): readonly string[] {
  return [...paths.map(describePath), ...(unknown === undefined ? [] : [`(${unknown})`])];
}
