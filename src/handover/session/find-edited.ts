import { holdsContent, readCommitted } from "../../git/git-content.ts";
import { type GitFacts, isMerging } from "../../git/git-facts.ts";
import type { DocumentRecord, RecordedEvent } from "../document-record.ts";
import { findText, isOwn } from "../document-versions.ts";

/** Where a document is. */
interface EditedPlace {
  readonly root: string;
  readonly path: string;
  readonly git: GitFacts | undefined;
}

/**
 * Returns the version of this user that a document was before a hand changed it; undefined if the text may be somebody
 * else's.
 *
 * What others wrote comes into a work tree through git, which then holds it. So a text that neither git nor the log
 * holds is this user's edit of what was there: of what is checked out, or of the newest version where git does not have
 * the document.
 */
export async function findEdited(
  record: DocumentRecord,
  { root, path, git }: EditedPlace,
): Promise<RecordedEvent | undefined> {
  const base = git === undefined ? await record.newest() : await findBase(record, root, path);
  return base !== undefined && isOwn(base) ? base : undefined;
}

async function findBase(
  record: DocumentRecord,
  root: string,
  path: string,
): Promise<RecordedEvent | undefined> {
  const [isHeld, isUnfinished] = await Promise.all([holdsContent(root, path), isMerging(root)]);
  // A hand that resolves a conflict keeps lines of others.
  if (isHeld || isUnfinished) return undefined;
  const committed = await readCommitted(root, path);
  switch (committed.type) {
    case "none":
      return record.newest();
    case "text":
      return findText(record, committed.text);
    case "unreadable":
      return undefined;
  }
}
