import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BadImport } from "../../formats/bad-import.ts";
import { importLimits } from "../../formats/limits.ts";
import { describeLimit } from "../../formats/read-lines.ts";
import { readFailed } from "../../lib/file-error.ts";
import { writeFully } from "../../lib/write-fully.ts";
import type { CommandContext } from "../command-context.ts";
import type { ImportFile } from "./list-imports.ts";

/** Keeps standard input in a file of its own while `work` runs, as it came: an import reads it twice. */
export async function keepInput<Result>(
  { input }: CommandContext,
  work: (file: ImportFile) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "carryon-import-"));
  try {
    const path = join(folder, "input");
    return await work({ path, name: "Standard input", bytes: await copy(input, path) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copy(input: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const handle = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of input) {
      bytes += chunk.byteLength;
      // Encrypted, it may be a little larger than what is in it.
      if (bytes > 2 * importLimits.totalBytes)
        throw new BadImport(undefined, `it is larger than ${describeLimit(importLimits.totalBytes)}`);
      await writeFully(handle, chunk);
    }
    return bytes;
  } catch (error) {
    throw readFailed("Standard input", error);
  } finally {
    await handle.close();
  }
}
