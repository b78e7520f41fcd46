import { readGitFacts } from "../../git/git-facts.ts";
import { commitDocuments, hideDocuments, readDocumentsChoice } from "../../handover/documents-in-commits.ts";
import type { InstallSite } from "../../install/locate-settings.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import type { CommandContext } from "../command-context.ts";

interface DocumentsWish {
  /** What was asked for; undefined where nobody said. */
  readonly documents: "private" | "committed" | undefined;
  readonly yes: boolean;
}

/** Settles whether the documents of the handover are committed with a repository: as wished, as it is, or as answered. */
export async function settleDocuments(
  context: CommandContext,
  { scope, root, isRepository }: InstallSite,
  { documents, yes }: DocumentsWish,
): Promise<void> {
  const git = scope === "project" && isRepository ? await readGitFacts(root) : undefined;
  if (git === undefined) return;
  const place = await locateHandoverHere(context);
  const now = await readDocumentsChoice(place);
  const folder = `${place.sddDir}/handover`;
  const ask = async () =>
    (await context.confirm(`Commit the handover documents in ${folder}? No keeps them out of commits.`))
      ? "committed"
      : "private";
  const wanted = documents ?? (now !== "undecided" ? now : yes ? "private" : await ask());
  // Documents that are yet to be made are kept out when they are.
  if (wanted === now || (wanted === "private" && now === "undecided")) return;
  if (wanted === "committed") return commitDocuments(git, place);
  if (await hideDocuments(git, place))
    context.warn(`Git tracks what is in ${folder}; \`git rm --cached\` takes it out of the next commit.`);
}
