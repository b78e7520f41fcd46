/** Writes the generated documents; with `--check` it only says which are stale, and exits with 1. */
import { readFile, writeFile } from "node:fs/promises";
import { describeCli } from "./describe-cli.ts";
import { renderReadme } from "./render-readme.ts";
import { renderArchitecture } from "./render-rows.ts";
import { renderTraceability } from "./render-traceability.ts";

interface GeneratedDocument {
  readonly file: string;
  readonly render: () => Promise<string>;
}

const documents: readonly GeneratedDocument[] = [
  { file: "docs/cli.md", render: describeCli },
  { file: "ARCHITECTURE.md", render: renderArchitecture },
  { file: "README.md", render: renderReadme },
  { file: "docs/traceability.md", render: renderTraceability },
];

async function readIfThere(path: URL): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const onlyCheck = process.argv.includes("--check");
for (const { file, render } of documents) {
  const path = new URL(`../${file}`, import.meta.url);
  const text = await render();
  if ((await readIfThere(path)) === text) continue;
  if (onlyCheck) {
    console.error(`${file} is stale: run \`npm run docs\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    console.log(`${file} was written.`);
  }
}
