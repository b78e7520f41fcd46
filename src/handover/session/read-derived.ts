import { listUncommitted } from "../../git/git-changes.ts";
import type { GitFacts } from "../../git/git-facts.ts";
import { readSubjectsSince } from "../../git/git-history.ts";
import { readDocumentsChoice } from "../documents-in-commits.ts";
import type { OpenHandover } from "../handover-folder.ts";
import type { RecordedWork } from "../recorded-work.ts";
import { type DerivedWork, deriveWork } from "./derive-work.ts";

/** More commits than one session makes between two drafts. */
const mostCommits = 50;

/** What recorded work is compared with. */
interface Compared {
  readonly handover: OpenHandover;
  readonly git: GitFacts | undefined;
  /** The commit that was checked out when the session began, if that is known. */
  readonly head: string | undefined;
  /** When the document of the session was last written. */
  readonly since: Date | undefined;
}

/** Reads what the repository says about recorded work, and returns the parts of a session.md that it fills. */
export async function readDerived(work: RecordedWork, compared: Compared): Promise<DerivedWork> {
  const { handover, git, head, since } = compared;
  if (git === undefined)
    return deriveWork(work, { documents: "private", since, subjects: [], uncommitted: undefined });
  const [choice, subjects, uncommitted] = await Promise.all([
    readDocumentsChoice(handover.place),
    head === undefined ? [] : readSubjectsSince(git, head, { most: mostCommits }),
    listUncommitted(git),
  ]);
  const documents = choice === "private" ? "private" : "committed";
  return deriveWork(work, { documents, since, subjects, uncommitted });
}
