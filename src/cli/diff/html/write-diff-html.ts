import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "../../../lib/app-error.ts";
import { writeFileAtomically } from "../../../lib/atomic-file.ts";
import { readFailed } from "../../../lib/file-error.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import { unlessGone } from "../../../lib/unless-gone.ts";
import type { SessionDiff } from "../../../sessions/session-diff.ts";
import { refuseOwnFiles } from "../../../storage/refuse-own-files.ts";
import { locateHome } from "../../../workspace/locate-home.ts";
import type { CommandContext } from "../../command-context.ts";
import { pageGenerator, renderPage } from "./render-page.ts";

/** Writes a comparison as a page to a file that only its owner can read, or to standard output. */
export async function writeDiffHtml(
  context: CommandContext,
  diff: SessionDiff,
  file: string | undefined,
): Promise<void> {
  const page = renderPage(diff);
  if (file === undefined) return context.out(page);
  const path = resolve(context.cwd, file);
  await refuseOwnFiles(locateHome(context.env, context.userHome), path);
  await refuseForeign(path);
  await writeFileAtomically(path, page, { random: context.random });
  context.err(`Written to ${toPrintableLine(path)}\n`);
}

/** A page that was made before is made anew; any other file is somebody's own. */
async function refuseForeign(path: string): Promise<void> {
  const text = await unlessGone(readFile(path, "utf8")).catch((cause: unknown) => {
    throw readFailed(path, cause);
  });
  if (text === undefined || text.slice(0, 500).includes(pageGenerator)) return;
  throw new AppError(`${path} is there already, and is no page of carryon diff.`, {
    kind: "conflict",
    code: "file-exists",
    hint: "Choose another name.",
  });
}
