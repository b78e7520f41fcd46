import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the files below a folder whose name or content has one of the texts, in UTF-8, and with which of them. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return texts
        .filter((text) => bytes.includes(text) || name.includes(text))
        .map((text) => `${name}: ${text}`);
    }),
  );
  if (files.length === 0) throw new Error(`There are no files in ${folder}.`);
  return found.flat();
}
