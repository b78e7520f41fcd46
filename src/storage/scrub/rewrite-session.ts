import type { EntryId } from "../../sessions/ids.ts";
import type { DescribedIn } from "../../sessions/scrubber.ts";
import { applyEntry, plainOpening, type SessionFacts, startFacts } from "../../sessions/session-facts.ts";
import { decodeContent } from "../entry-codec.ts";
import { foldTitle, type StoredSession, toTagColumns } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import type { Scrub } from "./scrub-text.ts";

/** A text and what is to stand in its place. */
export interface TextChange {
  readonly before: string | null;
  readonly after: string | null;
}

/** What describes a session, as it is to be. */
interface Description {
  readonly title: string | null;
  readonly opening: string | null;
  readonly tags: SessionFacts["tags"];
  readonly cwd: string;
  readonly branch: string | null;
}

/**
 * Returns the titles that sessions took from an entry, and what they would have taken from it as it is now.
 *
 * A title is cut, so that it may hold the beginning of a secret, which no pattern finds.
 */
export function readCopies(
  kind: string,
  { before, after }: { readonly before: string; readonly after: string },
): readonly TextChange[] {
  const [was, is] = [before, after].map((text) => takeTitles(kind, text));
  if (was === undefined || is === undefined) return [];
  return was
    .map((each, index) => ({ before: each, after: is[index] ?? null }))
    .filter((each) => each.before !== null);
}

function takeTitles(kind: string, body: string): readonly (string | null)[] {
  const content = decodeContent(kind, body);
  const { title, opening } = applyEntry(startFacts(0, null), { id: "" as EntryId, at: new Date(1), content });
  return [title.value, opening, plainOpening(content)];
}

/** Replaces titles that were taken from an entry by what would be taken from it now. */
export async function rewriteCopies(
  runner: SqlRunner,
  stored: StoredSession,
  copies: readonly TextChange[],
): Promise<void> {
  const replace = (text: string | null) => {
    const copy = copies.find(({ before }) => before === text);
    return copy === undefined ? text : copy.after;
  };
  const was = describe(stored);
  await rewrite(runner, stored.key, { ...was, title: replace(was.title), opening: replace(was.opening) });
}

/** Returns in which of its texts a session holds what is to be replaced. */
export function findDescribed(stored: StoredSession, scrub: Scrub): readonly DescribedIn[] {
  const [was, is] = [describe(stored), scrubDescription(stored, scrub)];
  const isOpening = was.opening !== is.opening;
  // The first words are the title of a session that was given none.
  const isTitle = was.title !== is.title || (was.title === null && isOpening);
  return [
    ...(isTitle ? (["title"] as const) : []),
    ...(isOpening && !isTitle ? (["opening"] as const) : []),
    ...(was.cwd === is.cwd ? [] : (["folder"] as const)),
    ...(was.branch === is.branch ? [] : (["branch"] as const)),
    ...(was.tags.length === is.tags.length ? [] : (["tags"] as const)),
  ];
}

/** Tells whether a text that describes a session is like what is looked for; markers stand for what is gone. */
export function isDescribedLike(stored: StoredSession, isLike: (text: string) => boolean): boolean {
  const { title, opening, tags, cwd, branch } = describe(stored);
  const texts = [title, opening, cwd, branch, ...tags.map(({ tag }) => tag)];
  return texts.some((text) => text !== null && isLike(text));
}

/** Replaces what is found in the texts that describe a session. */
export function rewriteSession(runner: SqlRunner, stored: StoredSession, scrub: Scrub): Promise<void> {
  return rewrite(runner, stored.key, scrubDescription(stored, scrub));
}

function describe({ facts, session }: StoredSession): Description {
  const { title, opening, tags } = facts;
  return { title: title.value, opening, tags, cwd: session.cwd, branch: session.branch };
}

/** A marker is no tag, so that a tag which holds a secret goes altogether. */
function scrubDescription(stored: StoredSession, scrub: Scrub): Description {
  const { title, opening, tags, cwd, branch } = describe(stored);
  const orNull = (text: string | null) => (text === null ? null : scrub(text));
  return {
    title: orNull(title),
    opening: orNull(opening),
    tags: tags.filter(({ tag }) => scrub(tag) === tag),
    cwd: scrub(cwd),
    branch: orNull(branch),
  };
}

async function rewrite(runner: SqlRunner, key: number, is: Description): Promise<void> {
  await runner.run(
    `UPDATE session SET title = ?, title_folded = ?, opening = ?, tags = ?, tag_facts = ?, cwd = ?, branch = ?
     WHERE key = ?`,
    [
      is.title,
      foldTitle(is.title ?? is.opening ?? ""),
      is.opening,
      ...toTagColumns(is.tags),
      is.cwd,
      is.branch,
      key,
    ],
  );
}
