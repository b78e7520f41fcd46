import { readSubjects } from "../git/git-history.ts";
import { fold } from "../lib/markdown/fold.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { unnamedWork, type WorkState } from "./work-state.ts";

/** An older commit is hardly the one that a save took its words from. */
const most = 200;

/**
 * Returns the work that a state was saved in the middle of; undefined where its text is the subject of a commit. A save
 * without a description takes the last subject, and that work is done.
 */
export async function readWorkInHand(
  root: string,
  { workingOn, commit }: Pick<WorkState, "workingOn" | "commit">,
): Promise<string | undefined> {
  if (workingOn === unnamedWork) return undefined;
  const saved = commit !== null && /^[0-9a-f]{7,64}$/.test(commit) ? [commit] : [];
  // The saved commit may be gone, or on another branch.
  const subjects = await readSubjects(root, ["--ignore-missing", "HEAD", ...saved], { most });
  return subjects.some((subject) => fold(hideSecrets(subject)) === workingOn) ? undefined : workingOn;
}
