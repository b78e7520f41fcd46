import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { trustProject } from "../../src/workspace/trust.ts";
import { git } from "./git-repo.ts";
import { noon, type openTestHandover } from "./project-handover.ts";

export type TestHandover = Awaited<ReturnType<typeof openTestHandover>>;

/** Returns the parts of a brief by their names. */
export async function briefParts(
  { brief }: Pick<TestHandover, "brief">,
  session?: string,
): Promise<Record<string, string | undefined>> {
  const { parts } = await brief({ session, budget: 100_000 });
  return Object.fromEntries(parts.map(({ name, text }) => [name, text]));
}

/** Trusts the project, as `carryon trust` does. */
export const trust = ({ home, here }: TestHandover) =>
  trustProject(home, here.project, { root: here.root, now: noon });

/** Writes a file of the project, and the folders that it is in. */
export async function put(test: TestHandover, path: string, text: string): Promise<void> {
  await mkdir(dirname(test.join(path)), { recursive: true });
  await writeFile(test.join(path), text);
}

/** Commits all that is there, also what is kept out of commits, at the moment that the tests take for now. */
export async function commitAll({ root }: Pick<TestHandover, "root">, message: string): Promise<void> {
  await git(root, "add", "--force", ".");
  const by = ["--author", "Eve <eve@example.com>", "--date", noon.toISOString()];
  await git(root, "commit", "--quiet", ...by, "--message", message);
}
