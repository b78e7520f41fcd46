import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Gives the whole test run a HOME, TMPDIR and CARRYON_HOME of its own, so that no test can reach the real ones, and one time zone. */
export async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const isUnit = vitest.projects.every(({ name }) => name === "unit");
  const folder = (isUnit && (await makeInMemory())) || (await mkdtemp(join(tmpdir(), prefix)));
  // The PostgreSQL of the tests runs as another user and has its files below.
  await chmod(folder, 0o711);
  process.env.HOME = folder;
  process.env.TMPDIR = folder;
  process.env.CARRYON_HOME = join(folder, "carryon-home");
  // As for the programs that tests start, so that what runs in a test says the same.
  process.env.TZ = "UTC";
  return () => rm(folder, { recursive: true, force: true });
}

const prefix = "carryon-test-";

/** What the tests of one run need at once, several times over. */
const roomInMemory = 4 << 30;

/**
 * Makes a folder that no disk has to sync: half of the time of the unit tests goes there, and none of them is about it.
 *
 * Undefined where TMPDIR names another place, and where memory has no such folder, too little room, or runs no programs.
 */
async function makeInMemory(): Promise<string | undefined> {
  if (process.env.TMPDIR !== undefined) return undefined;
  try {
    const { bavail, bsize } = await statfs("/dev/shm");
    if (bavail * bsize < roomInMemory) return undefined;
    const folder = await mkdtemp(join("/dev/shm", prefix));
    await writeFile(join(folder, "try"), "#!/bin/sh\n", { mode: 0o700 });
    execFileSync(join(folder, "try"));
    return folder;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
