import { plural } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { wrapTalk } from "../lib/terminal-text.ts";
import { type MergeAnswer, type MergeRequest, merge } from "../lifecycle/merge.ts";
import { toConflictJson } from "../sessions/merge-conflict.ts";
import { nameSide } from "../workspace/find-sides.ts";
import { type CommandContext, renderJson } from "./command-context.ts";
import { describeConflict } from "./transcript/describe-event.ts";

/** Merges sessions, prints the id of the one that received, and tells what it received and what both say differently. */
export async function sayMerge(
  context: CommandContext,
  { json, ...request }: MergeRequest & { readonly json?: boolean | undefined },
): Promise<void> {
  const { session, parts } = await merge(context, request);
  const dryRun = request.dryRun === true;
  const say = (line: string) => context.err(`${wrapTalk(context, toPrintableLine(line))}\n`);
  if (parts.length === 0) say(`Session ${session?.id ?? ""} has no side path that is to be joined.`);
  for (const part of parts) tellPart(part, session?.id ?? "a new fork", dryRun, say);
  if (json) context.out(`${renderJson(toJson({ session, parts }, dryRun))}\n`);
  else if (session !== null) context.out(`${session.id}\n`);
  const isNew = parts.some(({ entries }) => entries > 0);
  if (session !== null && session.clientSessionId !== null && isNew && !dryRun)
    say(
      `The transcript of Claude Code lacks these entries; \`carryon resume ${session.id}\` writes one that has them, and goes on there.`,
    );
}

function tellPart(
  { target, source, entries, conflicts }: MergeAnswer["parts"][number],
  into: string,
  dryRun: boolean,
  say: (line: string) => void,
): void {
  const from = nameSide(source);
  if (entries === 0) {
    say(`${into} has everything of ${from} already.`);
    return;
  }
  say(`${dryRun ? "Would merge" : "Merged"} ${plural(entries, "entry", "entries")} of ${from} into ${into}`);
  if (source.session.project !== target.project)
    say(`They are of two projects: ${source.session.projectName} and ${target.projectName}.`);
  if (conflicts.length === 0) return;
  say(`${plural(conflicts.length, "conflict")}; both are kept:`);
  for (const conflict of conflicts) say(`  ${describeConflict(toConflictJson(conflict))}`);
}

function toJson({ session, parts }: MergeAnswer, dryRun: boolean): object {
  return {
    session: session?.id ?? null,
    dryRun,
    merged: parts.map(({ source, entries, conflicts, begin = null }) => ({
      ...{ from: source.session.id, path: source.end ?? null, entries, begin },
      conflicts: conflicts.map(toConflictJson),
    })),
  };
}
