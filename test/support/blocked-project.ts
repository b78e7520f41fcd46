import { mkdir, readFile } from "node:fs/promises";
import type { ProjectId } from "../../src/sessions/project.ts";
import { approve, hashOf, type Purpose } from "../../src/work/approvals.ts";
import type { Blocker } from "../../src/work/blocker.ts";
import { type RecoveryDesk, recover } from "../../src/work/recover.ts";
import { blockerFileKeeper, readBlocker, writeBlocker } from "./blocker-file-keeper.ts";
import { startChild } from "./child.ts";
import { makeRepo } from "./git-repo.ts";
import { tempDir } from "./temp-dir.ts";

export const blocker: Blocker = {
  ...{ type: "dependency", severity: "high", description: "A dependency is gone.", resolution: "Get it." },
  ...{ detectedAt: new Date("2026-11-16T11:00:00Z"), isAutoDetected: true, recoveryAgent: "cpp-builder" },
  ...{ recoveryAttempted: 0, maxRecoveryAttempts: 3 },
};
const project = { id: "path:/shop" as ProjectId };
export const now = new Date("2026-11-16T12:00:00Z");
export const node = (script: string) => [process.execPath, "-e", script];
export const exit = (code: number) => node(`process.exit(${code})`);
/** Notes in a file of the project that it was run, and ends with a code. */
export const noted = (word: string, code = 0) =>
  node(`require("node:fs").appendFileSync("ran", "${word}\\n"); process.exit(${code})`);

/** A repository with a blocker, and a home folder in which commands can be approved. */
export async function openBlocked(given: Partial<Blocker> = {}) {
  const dir = await tempDir();
  const [root, home, path] = [dir.join("shop"), dir.join("home"), dir.join("session-state.json")];
  await makeRepo(root, ["first"]);
  await mkdir(home);
  const blocked = { ...blocker, ...given };
  await writeBlocker(path, blocked);
  return {
    ...{ root, home, path, blocked },
    child: () => startChild("recover-child.ts", path, home, project.id, root),
    allow: (purpose: Purpose, command: readonly string[]) =>
      approve(home, { project, command, purpose }, now),
    recover: (more: Partial<RecoveryDesk> = {}) =>
      recover({
        ...{ keeper: blockerFileKeeper(path), home, project, root, env: { PATH: process.env.PATH } },
        ...{ isUnderAgent: false, ...more },
      }),
    ran: async () =>
      (await readFile(dir.join("shop", "ran"), "utf8").catch(() => "")).split("\n").slice(0, -1),
    blocker: () => readBlocker(path),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
export type Blocked = Awaited<ReturnType<typeof openBlocked>>;

export const dependency: Purpose = { kind: "recovery", name: "dependency" };
/** The blocker after attempts with a command. */
export const attempted = (times: number, command: readonly string[]): Blocker => ({
  ...blocker,
  recoveryAttempted: times,
  recoveryCommand: hashOf(command),
});
