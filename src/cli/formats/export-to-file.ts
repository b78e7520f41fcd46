import { type ExportFormat, exportSessions, singleFormats } from "../../formats/export-sessions.ts";
import { formatOfFile, isNamedEncrypted } from "../../formats/format-of-file.ts";
import { importLimits } from "../../formats/limits.ts";
import { AppError } from "../../lib/app-error.ts";
import { formatBytes } from "../../lib/format-bytes.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { chooseSessions } from "./choose-sessions.ts";
import { readPassphrase } from "./read-passphrase.ts";
import { checkDestination, writeExport } from "./write-export.ts";

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
    if (singleFormats.has(format) && sessions.length > 1) throw tooMany(format, sessions.length);
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

function tooMany(format: string, count: number): AppError {
  return new AppError(`A file in the format ${format} holds one session, and ${count} were chosen.`, {
    kind: "usage",
    code: "one-session-only",
    hint: "Name one session, or use the format carryon.",
  });
}
