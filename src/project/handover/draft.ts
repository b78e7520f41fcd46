import { lstat } from "node:fs/promises";
import type { OpenHandover } from "../../handover/handover-folder.ts";
import type { Problem } from "../../handover/problem.ts";
import { readDocument } from "../../handover/read-document.ts";
import { draftSession } from "../../handover/session/draft-session.ts";
import { findUnknownDecisions } from "../../handover/session/find-unknown-decisions.ts";
import { parseSession } from "../../handover/session/parse-session.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import type { GitFacts } from "../../work/git-facts.ts";
import { collectFacts } from "./collect-facts.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "./document-record.ts";
import { isNewest, keepVersions, replaceDocument } from "./document-versions.ts";
import type { CurrentSession } from "./session-start.ts";

/** What a draft is told beside what it finds out itself. */
export interface DraftRequest {
  /** What was done; each is listed once. */
  readonly done?: readonly string[];
  /** The next action, which stays until it is done. */
  readonly next?: string;
  readonly goal?: string;
  readonly activeGoals?: string;
  /** Further files that were changed, by their paths from the top of the project. */
  readonly files?: readonly string[];
}

/** What became of session.md. */
export interface Draft {
  readonly isChanged: boolean;
  readonly text: string;
  /** What is wrong with the document, such as a reference to a decision that there is not. */
  readonly problems: readonly Problem[];
  /** How many changed files are not listed, because there are too many. */
  readonly unlisted: number;
}

/**
 * Brings session.md up to what is known, without a person. With nothing new nothing is written.
 *
 * The versions before and after are in the log before the document changes, so that no draft loses a polished text.
 */
export async function draft(
  site: RecordSite,
  handover: OpenHandover,
  git: GitFacts | undefined,
  request: DraftRequest,
): Promise<Draft> {
  const { place, session: path } = handover;
  const record = new DocumentRecord(site, "session.md");
  const previous = await readDocument(place.root, path);
  const newest = await record.newest();
  const last = isNewest(newest, previous) ? newest : undefined;
  const { session, known, unlisted, modifiedFiles, ...found } = await collectFacts(site, handover, git);
  const isNew = await hasBegun(session, last, path);
  const files = [...new Set([...(isNew ? [] : toTexts(last?.data.files)), ...(request.files ?? [])])];
  const listed = git === undefined && files.length === 0 ? undefined : [...(modifiedFiles ?? []), ...files];
  const nextFrom = toNextFrom(last?.data.nextFrom);
  const text = draftSession(previous, {
    ...found,
    ...{ goal: request.goal, activeGoals: request.activeGoals, done: request.done ?? [] },
    ...{ next: request.next, nextFrom, modifiedFiles: listed, session: isNew ? "new" : "same" },
  });
  const facts = {
    start: session.start?.seq ?? 0,
    files,
    nextFrom: request.next !== undefined ? "user" : followNext(previous, text, nextFrom),
  };
  const isChanged = text !== previous;
  if (isChanged) await replaceDocument(record, { path, previous, text, facts });
  else if (!knows(last, facts)) await keepVersions(record, { previous, text, facts });
  const { problems } = parseSession(text);
  return { isChanged, text, problems: [...problems, ...findUnknownDecisions(text, known)], unlisted };
}

/** Tells whether a session has begun since the document was last written. */
async function hasBegun(
  { start }: CurrentSession,
  last: RecordedEvent | undefined,
  path: string,
): Promise<boolean> {
  if (start === undefined) return false;
  if (typeof last?.data.start === "number") return start.seq !== last.data.start;
  const stats = await unlessGone(lstat(path));
  return stats !== undefined && Date.parse(start.at) > stats.mtimeMs;
}

type NextFrom = "user" | "pipeline" | undefined;

/** An action that did not change is from whom it was. */
function followNext(previous: string | undefined, text: string, nextFrom: NextFrom): string | null {
  const actionOf = (each: string) => parseSession(each).doc.nextAction;
  const isSame = previous !== undefined && actionOf(previous) === actionOf(text);
  return isSame ? (nextFrom ?? null) : "pipeline";
}

function toNextFrom(value: unknown): NextFrom {
  return value === "user" || value === "pipeline" ? value : undefined;
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function knows(last: RecordedEvent | undefined, facts: object): boolean {
  return Object.entries(facts).every(
    ([name, value]) => JSON.stringify(last?.data[name]) === JSON.stringify(value),
  );
}
