import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { renderArmor } from "../../formats/age-armor.ts";
import { encrypt } from "../../formats/encrypt.ts";
import { type ExportFormat, exportSessions, singleFormats } from "../../formats/export-sessions.ts";
import { formatOfFile, isNamedEncrypted } from "../../formats/format-of-file.ts";
import { importLimits } from "../../formats/limits.ts";
import { conflictError, unlessGone, usageError } from "../../lib/app-error.ts";
import { writeStreamAtomically } from "../../lib/atomic-file.ts";
import { formatBytes, plural } from "../../lib/describe.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { listAll } from "../../sessions/conversation-log.ts";
import type { Session } from "../../sessions/session.ts";
import { refuseOwnFiles } from "../../storage/refuse-own-files.ts";
import { chooseProject, type ProjectChoice } from "../../workspace/choose-project.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { findHere, readHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";
import { openOutput } from "../paged-output.ts";
import { readPassphrase } from "./read-passphrase.ts";

/** What is exported, and how. */
export interface ExportRequest {
  readonly ids: readonly string[];
  /** By default that of the name of the file. */
  readonly format?: ExportFormat | undefined;
  /** Standard output without it. */
  readonly output?: string | undefined;
  readonly force?: boolean | undefined;
  readonly encrypt?: boolean | undefined;
  readonly passphraseFile?: string | undefined;
  readonly project?: string | undefined;
  readonly all?: true | undefined;
}

/** Writes sessions to a file or to standard output. */
export async function exportToFile(context: CommandContext, request: ExportRequest): Promise<void> {
  const { ids, output: file, force, encrypt, passphraseFile, project, all } = request;
  const format = request.format ?? formatOfFile(file ?? "");
  const encrypts = encrypt === true || isNamedEncrypted(file);
  const overwrite = force === true;
  await checkDestination(context, { file, overwrite, isReadable: format === "md" && !encrypts });
  await catchUp(context);
  await readHere(context, async (here) => {
    const sessions = await chooseSessions(context, here, ids, { project, all });
    if (singleFormats.has(format) && sessions.length > 1)
      throw usageError(
        "one-session-only",
        `A file in the format ${format} holds one session, and ${sessions.length} were chosen.`,
        { hint: "Name one session, or use the format carryon." },
      );
    const passphrase = encrypts ? await readPassphrase(context, passphraseFile, "encrypt") : undefined;
    const exported = exportSessions(here.store, {
      format,
      sessions,
      machine: context.machine,
      now: context.clock.now(),
      stretch: all && ids.length > 0 ? "all" : "after-reset",
      onTooLong: (session, seq) =>
        context.warn(
          `Entry ${seq} of ${session} is longer than ${formatBytes(importLimits.lineBytes)}: \`carryon import\` refuses it. The format json takes it.`,
        ),
    });
    await writeExport(context, exported, { file, overwrite, passphrase });
    if (file !== undefined)
      context.err(`Exported ${plural(sessions.length, "session")} to ${toPrintableLine(file)}\n`);
  });
}

/** Returns the sessions that are named, each once; without a name those of a project, newest first. */
async function chooseSessions(
  context: CommandContext,
  here: OpenProject,
  ids: readonly string[],
  choice: ProjectChoice,
): Promise<readonly Session[]> {
  const found = new Map<string, Session>();
  for (const id of ids) {
    const session = await findHere(context, here, id);
    found.set(session.id, session);
  }
  if (ids.length > 0) return [...found.values()];
  const scope = await chooseProject(here, choice);
  const sessions = scope === "nothing" ? [] : await Array.fromAsync(listAll(here.store.log, scope));
  if (sessions.length > 0) return sessions;
  throw usageError("session-not-found", "There is no session to export in this project.", {
    hint: "Name one, or take those of all projects with --all. `carryon sessions --all` lists them.",
  });
}

interface Destination {
  /** The file; standard output without one. */
  readonly file: string | undefined;
  /** Whether a file that is there may be replaced. */
  readonly overwrite: boolean;
  readonly passphrase: string | undefined;
}

/** Makes sure that an export can go where it is to go, before anything is asked or rendered. */
async function checkDestination(
  context: CommandContext,
  { file, overwrite, isReadable }: Omit<Destination, "passphrase"> & { readonly isReadable: boolean },
): Promise<void> {
  if (file === undefined) {
    if (isReadable || !context.isTerminal.output) return;
    throw usageError("not-for-terminal", "This is nothing to read on a terminal.", {
      hint: "Name a file with --output, or send it to another program. `carryon show` is for reading.",
    });
  }
  const path = resolve(context.cwd, file);
  await refuseOwnFiles(locateHome(context.env, context.userHome), path);
  if (overwrite || (await unlessGone(lstat(path))) === undefined) return;
  throw conflictError("file-exists", `${path} is there already, and was left as it is.`, {
    hint: "Choose another name, or replace it with --force.",
  });
}

/** Writes an export to its file, whole or not at all and readable by its owner alone, or to standard output. */
async function writeExport(
  context: CommandContext,
  chunks: AsyncIterable<string>,
  { file, passphrase }: Destination,
): Promise<void> {
  if (file !== undefined) {
    const content = passphrase === undefined ? chunks : encrypt(chunks, passphrase);
    return writeStreamAtomically(resolve(context.cwd, file), content);
  }
  const text = passphrase === undefined ? chunks : renderArmor(encrypt(chunks, passphrase));
  const output = openOutput(context, { pager: true });
  for await (const chunk of text)
    if (!(await output.write(context.isTerminal.output ? toPrintable(chunk) : chunk))) break;
  await output.end();
}
