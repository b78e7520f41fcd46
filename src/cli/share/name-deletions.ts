import { unlessFailed } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { type Deletion, markNamed } from "../../share/deletions.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { CommandContext } from "../command-context.ts";

/** How many are named at once; the others come with the next command. */
const shown = 20;

/** Tells a person of deletions by `say`, a line each; each is told once. */
export async function nameDeletions(
  { env, userHome }: CommandContext,
  deletions: readonly Deletion[],
  say: (lines: readonly string[]) => void,
): Promise<void> {
  const named = deletions.slice(0, shown);
  say(named.map((each) => toPrintableLine(describeDeletion(each))));
  // In a home that cannot be written they are told again.
  await unlessFailed(markNamed(locateHome(env, userHome), named), undefined);
}

/** Tells a person of deletions beside the answer of a command. */
export function sayDeletions(context: CommandContext, deletions: readonly Deletion[]): Promise<void> {
  return nameDeletions(context, deletions, (lines) => {
    for (const line of lines) context.err(`${line}\n`);
  });
}

function describeDeletion({ session, store, kept }: Deletion): string {
  if (kept === "there")
    return `Session ${session} was deleted here, and is kept in ${store}, where it was begun or continued.`;
  return (
    `Session ${session} was deleted elsewhere (${store}), and is kept here, where it was begun or continued. ` +
    `To delete it here too: carryon delete ${renderShellWord(session)}`
  );
}
