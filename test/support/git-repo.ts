import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The variables of a git that has nobody's configuration. */
export const gitEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.invalid",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.invalid",
};

/** A clone may come from a folder, and a commit does not start another git that looks whether to tidy up. */
const settings = ["-c", "protocol.file.allow=always", "-c", "maintenance.auto=false"];

/** Runs git in a folder, with nobody's configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", [...settings, ...args], { cwd, env: gitEnv });
  return stdout.trim();
}

/** Makes a repository on the branch main, with one commit per message, and goes on to another branch if told. */
export async function makeRepo(
  path: string,
  messages: readonly string[],
  { branch }: { readonly branch?: string } = {},
): Promise<void> {
  await layOut(path, JSON.stringify([branch, messages]), async (root) => {
    await git(root, "init", "--quiet", "--initial-branch=main");
    for (const message of messages)
      await git(root, "commit", "--quiet", "--allow-empty", "--message", message);
    if (branch !== undefined) await git(root, "switch", "--quiet", "--create", branch);
  });
}

/** A file or, without bytes, a folder; its path is from the top of the work tree. */
interface Item {
  readonly path: string;
  readonly bytes: Buffer | undefined;
  readonly mode: number;
}

const templates = new Map<string, Promise<readonly Item[]>>();

/**
 * Makes a repository as `make` does. Git is started for the first one of a name only; the others are copies, which have
 * the same commits.
 */
export async function layOut(
  path: string,
  name: string,
  make: (root: string) => Promise<void>,
): Promise<void> {
  mkdirSync(path, { recursive: true });
  if (existsSync(join(path, ".git"))) return make(path);
  const template = templates.get(name) ?? record(make);
  templates.set(name, template);
  for (const { path: inside, bytes, mode } of await template) {
    if (bytes === undefined) mkdirSync(join(path, inside), { recursive: true });
    else writeFileSync(join(path, inside), bytes, { mode });
  }
  const index = join(path, ".git", "index");
  if (existsSync(index)) writeFileSync(index, withStats(readFileSync(index), path));
}

async function record(make: (root: string) => Promise<void>): Promise<readonly Item[]> {
  const root = mkdtempSync(join(tmpdir(), "template-"));
  try {
    await make(root);
    const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
    return paths
      .filter((path) => !path.endsWith(".sample"))
      .map((path) => {
        const stats = lstatSync(join(root, path));
        const bytes = stats.isDirectory() ? undefined : readFileSync(join(root, path));
        return { path, bytes, mode: stats.mode };
      });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Returns an index for other files of the same names and content: git knows by their stats that they have not changed. */
function withStats(index: Buffer, root: string): Buffer {
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const end = index.indexOf(0, at + 62);
    const stats = lstatSync(join(root, index.toString("utf8", at + 62, end)), { bigint: true });
    const [second, low] = [1_000_000_000n, 0xffff_ffffn];
    const { ctimeNs, mtimeNs, dev, ino } = stats;
    const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second];
    for (const [field, value] of [...times, dev, ino].entries())
      index.writeUInt32BE(Number(value & low), at + 4 * field);
    at += (end - at + 8) & ~7;
  }
  const content = index.subarray(0, -20);
  return Buffer.concat([content, createHash("sha1").update(content).digest()]);
}
