import { lstat } from "node:fs/promises";
import { readCheckedOut } from "../git/git-facts.ts";
import { unlessGone } from "../lib/unless-gone.ts";
import { type DecisionFacts, decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { describeStart, hasBegun } from "./session/collect-facts.ts";
import type { SessionDesk } from "./session-work.ts";
import { findForeign } from "./wait-for-trust.ts";

/**
 * Says in decisions.md that an agent's session has begun. Undefined when the document says so already: each session
 * begins once, however often it is given its brief.
 *
 * Nobody asked for it, so that nothing is written where documents came with a project which the user does not trust.
 */
export async function begin(
  { site, handover, git, isTrusted }: SessionDesk,
  session: string,
  facts: Pick<DecisionFacts, "examined"> = {},
): Promise<Decision | undefined> {
  if (await hasBegun(handover.place, session)) return undefined;
  if (!isTrusted && (await findForeign({ site, place: handover.place, git })).length > 0) return undefined;
  const isThere = (await unlessGone(lstat(handover.session))) !== undefined;
  const given = {
    type: "SESSION_START",
    summary: "Session started",
    context: describeStart(session),
    decision: isThere ? "Go on from session.md" : "Begin without a session.md",
    source: "carryon",
  } as const;
  return decide(site, handover, given, { ...facts, head: git && (await readCheckedOut(git)).tip });
}
