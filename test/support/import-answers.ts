import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openCarryon } from "./run-carryon.ts";

/** Imports a folder with a file that is whole and one that is bad, and returns the answers of `--json`. */
export async function collectImportAnswers(): Promise<readonly unknown[]> {
  await using carryon = await openCarryon();
  await carryon.record("Hello");
  await mkdir(join(carryon.folder, "work", "exports"));
  await carryon.ask(["export", "latest", "--output", "exports/a.jsonl"]);
  await writeFile(join(carryon.folder, "work", "exports", "b.json"), "{");
  const env = { CARRYON_HOME: join(carryon.folder, "other") };
  const { stdout } = await carryon.call(["import", "exports", "--json"], { env });
  return [JSON.parse(stdout)];
}
