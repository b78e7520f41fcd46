import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the whole test run a HOME, TMPDIR and CARRYON_HOME of its own, so that no test can reach the real ones, and one time zone. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "carryon-test-"));
  // The PostgreSQL of the tests runs as another user and has its files below.
  await chmod(folder, 0o711);
  process.env.HOME = folder;
  process.env.TMPDIR = folder;
  process.env.CARRYON_HOME = join(folder, "carryon-home");
  // As for the programs that tests start, so that what runs in a test says the same.
  process.env.TZ = "UTC";
  return () => rm(folder, { recursive: true, force: true });
}
