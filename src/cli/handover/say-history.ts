import type { Version } from "../../handover/document-versions.ts";
import { openProjectHandover } from "../../handover/project-handover.ts";
import { toPrintable } from "../../lib/printable.ts";
import { isNoStore, readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { openOutput } from "../paged-output.ts";
import { renderJson } from "../render-json.ts";

/** Shows the versions of session.md, the newest first. */
export async function sayHistory(
  context: CommandContext,
  { json, pager }: { readonly json?: true | undefined; readonly pager: boolean },
): Promise<void> {
  const versions = (await readHistory(context)).toReversed();
  if (json) {
    const found = versions.map(({ at, event, sha256, text }) => ({ at, origin: event, sha256, text }));
    return context.out(`${renderJson({ versions: found })}\n`);
  }
  if (versions.length === 0) return context.err("No version of session.md is in the log.\n");
  const output = openOutput(context, { pager });
  await output.write(versions.map((each) => render(context, each)).join("\n"));
  await output.end();
}

function render({ style }: CommandContext, { at, event, sha256, text }: Version): string {
  const head = `${at.toISOString()}  ${event === "written" ? "written" : "found"}  ${sha256.slice(0, 12)}`;
  return `${style.bold(head)}\n${toPrintable(text).replace(/\n*$/, "\n")}`;
}

async function readHistory(context: CommandContext): Promise<readonly Version[]> {
  try {
    return await readHere(context, async (here) => {
      if (here.project === undefined) return [];
      const handover = await openProjectHandover({ ...here, project: here.project });
      return await handover.history();
    });
  } catch (error) {
    if (isNoStore(error)) return [];
    throw error;
  }
}
