import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { renderArmor } from "../../formats/age-armor.ts";
import { encrypt } from "../../formats/encrypt.ts";
import { AppError } from "../../lib/app-error.ts";
import { writeStreamAtomically } from "../../lib/atomic-file.ts";
import { toPrintable } from "../../lib/printable.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { refuseOwnFiles } from "../../storage/refuse-own-files.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { CommandContext } from "../command-context.ts";
import { openOutput } from "../paged-output.ts";

export interface Destination {
  /** The file; standard output without one. */
  readonly file: string | undefined;
  /** Whether a file that is there may be replaced. */
  readonly overwrite: boolean;
  readonly passphrase: string | undefined;
}

/** Makes sure that an export can go where it is to go, before anything is asked or rendered. */
export async function checkDestination(
  context: CommandContext,
  { file, overwrite, isReadable }: Omit<Destination, "passphrase"> & { readonly isReadable: boolean },
): Promise<void> {
  if (file === undefined) {
    if (isReadable || !context.isTerminal.output) return;
    throw new AppError("This is nothing to read on a terminal.", {
      kind: "usage",
      code: "not-for-terminal",
      hint: "Name a file with --output, or send it to another program. `carryon show` is for reading.",
    });
  }
  const path = resolve(context.cwd, file);
  await refuseOwnFiles(locateHome(context.env, context.userHome), path);
  if (overwrite || (await unlessGone(lstat(path))) === undefined) return;
  throw new AppError(`${path} is there already, and was left as it is.`, {
    kind: "conflict",
    code: "file-exists",
    hint: "Choose another name, or replace it with --force.",
  });
}

/** Writes an export to its file, whole or not at all and readable by its owner alone, or to standard output. */
export async function writeExport(
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
