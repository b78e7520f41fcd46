import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import type { Clock } from "../lib/clock.ts";
import { makeUuidV7, type RandomSource } from "../lib/uuid-v7.ts";
import { makeFolder } from "../storage/home-folder.ts";

/** How long the command is good for that names such a file: somebody may paste it tomorrow, or after a week off. */
const briefDays = 14;

const name = /^brief-[0-9a-f-]{36}\.md$/;
const dayMs = 86_400_000;

/** Writes a brief into a file of the home folder that only this user reads, and returns its path. */
export async function writeBriefFile(
  home: string,
  text: string,
  { clock, random }: { readonly clock: Clock; readonly random: RandomSource },
): Promise<string> {
  await makeFolder(home);
  const path = join(home, `brief-${makeUuidV7(clock.now(), random)}.md`);
  await writeFileAtomically(path, text, { mode: 0o600 });
  return path;
}

/** Removes the files of briefs that are too old to be started with; what cannot be removed is left for the next time. */
export async function sweepBriefFiles(home: string, now: Date): Promise<void> {
  for (const path of await listBriefFiles(home)) {
    const stats = await unlessRefused(stat(path));
    if (stats !== undefined && now.getTime() - stats.mtimeMs > briefDays * dayMs) await remove(path);
  }
}

/** Removes the files of all briefs: what must not be known any more may stand in them. */
export async function removeBriefFiles(home: string): Promise<void> {
  for (const path of await listBriefFiles(home)) await remove(path);
}

async function listBriefFiles(home: string): Promise<readonly string[]> {
  const names = await unlessRefused(readdir(home));
  return (names ?? []).filter((each) => name.test(each)).map((each) => join(home, each));
}

async function remove(path: string): Promise<void> {
  await unlessRefused(rm(path, { force: true }));
}

/** Whoever tidies up on the way to something else is not held up by what the system refuses. */
async function unlessRefused<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}
