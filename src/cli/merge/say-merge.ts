import { catchUp } from "../../lifecycle/catch-up.ts";
import { parseTitle } from "../../sessions/session-events.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { chooseSources } from "./choose-sources.ts";
import { mergeHere } from "./merge-here.ts";
import { reportMerge } from "./report-merge.ts";

/** What is merged, into what, and how it is told. */
export interface MergeRequest {
  readonly id: string;
  readonly other?: string | undefined;
  readonly into?: string | undefined;
  readonly title?: string | undefined;
  readonly paths?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Merges sessions and says what became of it. */
export async function sayMerge(context: CommandContext, request: MergeRequest): Promise<void> {
  const { id, other, into, title, paths = false, dryRun = false, json = false } = request;
  await catchUp(context);
  const called = title === undefined ? undefined : parseTitle(title);
  return writeHere(context, async (here) => {
    const chosen = await chooseSources(context, here, { id, other, into, paths });
    const merged = await mergeHere(context, here, { ...chosen, title: called, dryRun });
    reportMerge(context, merged, { json, dryRun });
  });
}
