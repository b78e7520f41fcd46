import { dirname } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import { isMissing } from "../../share/new-store.ts";
import type { StoreSite } from "../../storage/store-site.ts";
import type { CommandContext } from "../command-context.ts";
import type { ShareChoice } from "./share-choice.ts";

/** Throws unless a folder has a store, or somebody agrees to a new one there: a mistyped name must not make one. */
export async function confirmNewStore(
  { isTerminal, confirm }: CommandContext,
  choice: ShareChoice,
  site: StoreSite,
): Promise<void> {
  if (choice.create || !(await isMissing(site))) return;
  const folder = toPrintableLine(dirname(site.path));
  const isAsked = isTerminal.input && isTerminal.error;
  if (isAsked && (await confirm(`There is no store in ${folder} yet. Make a new one there?`))) return;
  throw new AppError(`There is no store at ${site.path} yet. Nothing was pushed.`, {
    kind: "usage",
    code: "new-store",
    hint: `To make one there, run \`${renderCommand(choice)}\`. A server is named as postgres://user@host/database.`,
  });
}

function renderCommand({ store, ids, project, all, json }: ShareChoice): string {
  const words = [
    ...["carryon", "push", store ?? "", ...ids],
    ...(project === undefined ? [] : ["--project", project]),
    ...(all ? ["--all"] : []),
    ...(json ? ["--json"] : []),
    "--create",
  ];
  return words.map(renderShellWord).join(" ");
}
