import { decryptSource, isEncrypted } from "../../formats/decrypt.ts";
import { type Imported, importSource } from "../../formats/import-source.ts";
import { fileSource, type ImportSource } from "../../formats/source.ts";
import { AppError } from "../../lib/app-error.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";
import { openProgress } from "../progress.ts";
import type { ImportFile } from "./list-imports.ts";
import { readPassphrase } from "./read-passphrase.ts";

export interface ImportChoices {
  readonly partial?: true | undefined;
  readonly passphraseFile?: string | undefined;
}

/** What became of one file. */
export type FileOutcome =
  | { readonly file: ImportFile; readonly imported: Imported }
  | { readonly file: ImportFile; readonly error: AppError };

/** Imports files one after another, each of them whole or not at all; one that is bad stops none of the others. */
export async function importFiles(
  context: CommandContext,
  here: WritableProject,
  files: readonly ImportFile[],
  choices: ImportChoices,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const file of files) {
    try {
      outcomes.push({ file, imported: await importOne(context, here, file, choices) });
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "usage") throw error;
      outcomes.push({ file, error });
    }
  }
  return outcomes;
}

async function importOne(
  context: CommandContext,
  { store, project, branch }: WritableProject,
  file: ImportFile,
  { partial, passphraseFile }: ImportChoices,
): Promise<Imported> {
  const progress = openProgress(context);
  const plain = watched(fileSource(file.path), (bytes) =>
    progress.show(`Reading ${file.name}: ${formatBytes(bytes)} of ${formatBytes(file.bytes)}`),
  );
  try {
    const source = (await isEncrypted(plain))
      ? await decryptSource(plain, await readPassphrase(context, passphraseFile, "decrypt"))
      : plain;
    const { cwd, machine } = context;
    const talkTarget = async () => ({ log: store.log, project: project.id, cwd, branch, machine });
    const whenBad = partial === true ? "keep-whole-lines" : "refuse";
    const options = { now: context.clock.now(), whenBad } as const;
    return await importSource(source, { replica: store.replica, talkTarget }, options);
  } finally {
    progress.clear();
  }
}

function watched({ open }: ImportSource, onRead: (bytes: number) => void): ImportSource {
  return {
    open: async function* () {
      let bytes = 0;
      for await (const chunk of open()) {
        bytes += chunk.byteLength;
        onRead(bytes);
        yield chunk;
      }
    },
  };
}
