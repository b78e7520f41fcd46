import { readDatedDecisions } from "../../handover/dated-decisions.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { compareSessions } from "../../sessions/compare-sessions.ts";
import { chooseSides, type SidesAsked } from "../../workspace/find-sides.ts";
import { readHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { openOutput } from "../paged-output.ts";
import { writeDiffHtml } from "./html/write-diff-html.ts";
import { writeDiff } from "./write-diff.ts";
import { writeDiffJson } from "./write-diff-json.ts";

/** What is compared, and how it is shown. */
export interface DiffRequest extends SidesAsked {
  readonly full?: boolean;
  readonly pager?: boolean;
  readonly json?: boolean;
  /** The file of a page, or true for standard output. */
  readonly html?: string | true | undefined;
}

/** Shows what two sessions share, and what each did. */
export async function showDiff(context: CommandContext, request: DiffRequest): Promise<void> {
  const { full = false, pager = true, json = false, html, ...sidesRequest } = request;
  await catchUp(context);
  return readHere(context, async (here) => {
    const { log } = here.store;
    const sides = await chooseSides(context, here, sidesRequest);
    const decisions = await readDatedDecisions(
      log,
      sides.map(({ session }) => session),
    );
    const textLimit = full ? { textLimit: Number.POSITIVE_INFINITY } : {};
    const diff = await compareSessions(log, ...sides, { decisions, ...textLimit });
    if (html !== undefined) return writeDiffHtml(context, diff, html === true ? undefined : html);
    const output = openOutput(context, { pager: pager && !json });
    const { columns: width = Number.POSITIVE_INFINITY, style, machine } = context;
    const view = { width, style, machine, full };
    await (json ? writeDiffJson(output, diff) : writeDiff(output, diff, view));
    await output.end();
  });
}
