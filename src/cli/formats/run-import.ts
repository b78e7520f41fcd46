import { lstat, mkdtemp, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BadImport } from "../../formats/bad-import.ts";
import { decryptSource, isEncrypted } from "../../formats/decrypt.ts";
import { type Imported, importSource } from "../../formats/import-source.ts";
import { importLimits } from "../../formats/limits.ts";
import { sessionsFolder } from "../../formats/locate-claude-master.ts";
import { describeLimit, fileSource, type ImportSource } from "../../formats/source.ts";
import { AppError, isSystemError, usageError } from "../../lib/app-error.ts";
import { writeFully } from "../../lib/atomic-file.ts";
import { formatBytes, plural } from "../../lib/describe.ts";
import { readFailed } from "../../lib/file-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { TakenSession } from "../../sessions/take-session.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { openProgress } from "../progress.ts";
import { indexStore } from "../search/show-indexing.ts";
import { readPassphrase } from "./read-passphrase.ts";

export interface RunImportChoices extends ImportChoices {
  readonly json?: true | undefined;
  /** Takes what became of the sessions; standard output unless given. */
  readonly print?: (text: string) => void;
}

/** Imports a file, the exports of a folder, or standard input for `-`, and says what became of each session. */
export async function runImport(
  context: CommandContext,
  source: string,
  choices: RunImportChoices,
): Promise<void> {
  const run = (files: readonly ImportFile[]) =>
    writeHere(context, async (here) => {
      const outcomes = await importFiles(context, here, files, choices);
      await indexStore(context, here.store);
      return outcomes;
    });
  const outcomes =
    source === "-"
      ? await keepInput(context, (file) => run([file]))
      : await run(await listImports(context, source));
  const [only, ...others] = outcomes;
  // A single file that is bad is the error of the command itself.
  if (only !== undefined && others.length === 0 && "error" in only) throw nameFile(only);
  const { print = (text: string) => context.out(text) } = choices;
  print(choices.json ? `${renderJson(toImportJson(outcomes))}\n` : renderImported(outcomes));
  if (!choices.json) context.err(renderProblems(outcomes));
  const bad = outcomes.filter((outcome) => "error" in outcome || outcome.imported.problem !== undefined);
  if (bad.length > 0)
    throw usageError(
      "import-incomplete",
      `${bad.length} of ${plural(outcomes.length, "file")} could not be imported whole.`,
    );
}

function nameFile({ file, error }: Extract<FileOutcome, { error: AppError }>): AppError {
  const { kind, code, hint } = error;
  return new AppError(`${file.name}: ${error.message}`, { kind, code, hint, cause: error });
}

/** Keeps standard input in a file of its own while `work` runs, as it came: an import reads it twice. */
async function keepInput<Result>(
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

/** Renders what became of each session, a line each. */
function renderImported(outcomes: readonly FileOutcome[]): string {
  return outcomes
    .flatMap((outcome) => ("imported" in outcome ? outcome.imported.sessions : []))
    .map((session) => `${describeTaken(session)}\n`)
    .join("");
}

function describeTaken(taken: TakenSession): string {
  switch (taken.type) {
    case "added":
      return `added     ${taken.session}  ${describeAdded(taken)}${describeOther(taken)}`;
    case "extended":
      return `extended  ${taken.session}  ${describeAdded(taken)}${describeOther(taken)}`;
    case "parted":
      return `forked    ${taken.session}  ${describeAdded(taken)}; ${taken.from} went another way here`;
    case "known":
      return `known     ${taken.session}`;
    case "deleted":
      return `left out  ${taken.session}  it was deleted here, and a deleted session does not come back`;
  }
}

function describeAdded({ added, redacted }: { readonly added: number; readonly redacted: number }): string {
  const secrets = redacted === 0 ? "" : `, secrets taken out of ${redacted}`;
  return `${plural(added, "entry", "entries")}${secrets}`;
}

/** Another session has the id that it came with. */
function describeOther({ session, from }: TakenSession): string {
  return session === from ? "" : `; another session is ${from} here`;
}

/** Renders what went wrong with files of which others were imported. */
function renderProblems(outcomes: readonly FileOutcome[]): string {
  return outcomes
    .flatMap((outcome) => {
      const name = toPrintableLine(outcome.file.name);
      if ("error" in outcome) return [`${name}: ${outcome.error.message}\n`];
      const { problem } = outcome.imported;
      return problem === undefined ? [] : [`${name}: ${problem.message} What comes before it was kept.\n`];
    })
    .join("");
}

/** Returns the answer of `--json`. */
function toImportJson(outcomes: readonly FileOutcome[]): object {
  return {
    files: outcomes.map((outcome) => {
      const file = outcome.file.name;
      if ("error" in outcome) {
        const { code, message } = outcome.error;
        return { file, format: null, sessions: [], problem: { code, message } };
      }
      const { format, sessions, problem } = outcome.imported;
      return {
        ...{ file, format, sessions: sessions.map(toSessionJson) },
        problem: problem === undefined ? null : { code: problem.code, message: problem.message },
      };
    }),
  };
}

function toSessionJson(taken: TakenSession): object {
  const { type, session, from } = taken;
  const counted = "added" in taken ? taken : { added: 0, redacted: 0 };
  return { session, from, outcome: type, added: counted.added, redacted: counted.redacted };
}

interface ImportChoices {
  readonly partial?: true | undefined;
  readonly passphraseFile?: string | undefined;
}

/** What became of one file. */
type FileOutcome =
  | { readonly file: ImportFile; readonly imported: Imported }
  | { readonly file: ImportFile; readonly error: AppError };

/** Imports files one after another, each of them whole or not at all; one that is bad stops none of the others. */
async function importFiles(
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

/** A file to import, and what messages call it. */
interface ImportFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

const endings = /\.(?:jsonl|json|carryon|sexp|lisp|age)$/i;

/** Returns the file that is named, or all exports of a folder, in the order of their names; links in it are passed over. */
async function listImports(context: CommandContext, name: string): Promise<readonly ImportFile[]> {
  const path = resolve(context.cwd, name);
  try {
    const stats = await stat(path);
    if (stats.isFile()) return [{ path, name, bytes: stats.size }];
    if (!stats.isDirectory()) throw unfit(path, "is neither a file nor a folder");
    const files = await listFolder(path, name);
    if (files.length === 0) throw unfit(path, "has no exports in it: .jsonl, .json, .sexp or .age");
    return files;
  } catch (error) {
    throw isSystemError(error, "ENOENT", "ENOTDIR") ? missing(path, error) : readFailed(path, error);
  }
}

/** The name may have been meant for a client. */
function missing(path: string, cause: unknown): AppError {
  return usageError("input-unreadable", `${path} does not exist.`, {
    hint: "Name a file or a folder; of clients, the history of claude-code can be read.",
    cause,
  });
}

async function listFolder(path: string, name: string): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  for (const each of (await readdir(path)).filter((file) => endings.test(file)).sort()) {
    const stats = await lstat(join(path, each));
    // There, it names the session that was the current one, and is none itself.
    if (path.endsWith(sessionsFolder) && each === "current.json") continue;
    if (stats.isFile()) files.push({ path: join(path, each), name: join(name, each), bytes: stats.size });
  }
  return files;
}

function unfit(path: string, reason: string): AppError {
  return usageError("input-unreadable", `${path} ${reason}.`);
}
