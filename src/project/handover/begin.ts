import { lstat } from "node:fs/promises";
import type { Decision } from "../../handover/decisions/decision.ts";
import type { FoundDecision } from "../../handover/decisions/parse-decisions.ts";
import { readLastDecisions } from "../../handover/decisions/read-last-decisions.ts";
import type { OpenHandover } from "../../handover/handover-folder.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { findCheckedOut } from "../find-git-facts.ts";
import { decide } from "./decide.ts";
import type { RecordSite } from "./document-record.ts";
import { hasOwn } from "./own-decisions.ts";
import { describeStart, isStartOf } from "./session-start.ts";
import type { SessionDesk } from "./session-work.ts";

/**
 * Says in decisions.md that an agent's session has begun. Undefined when the document says so already: each session
 * begins once, however often it is given its brief.
 *
 * Nobody asked for it, so that a document that came with a project which the user does not trust is left as it is.
 */
export async function begin(
  { site, handover, git, isTrusted }: SessionDesk,
  session: string,
): Promise<Decision | undefined> {
  const all = await readLastDecisions(handover.place, Number.POSITIVE_INFINITY);
  if (all.some((each) => isStartOf(each, session))) return undefined;
  if (!isTrusted && (await isFromOutside(site, handover, all))) return undefined;
  const given = {
    type: "SESSION_START",
    summary: "Session started",
    context: describeStart(session),
    decision: "Go on from session.md",
    source: "carryon",
  } as const;
  return decide(site, handover, given, { head: git && (await findCheckedOut(handover.place.root)).tip });
}

/** Tells whether there is a document of which the log knows no entry. */
async function isFromOutside(
  site: RecordSite,
  { decisions: path }: OpenHandover,
  all: readonly FoundDecision[],
): Promise<boolean> {
  return (await unlessGone(lstat(path))) !== undefined && !(await hasOwn(site, all));
}
