import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { withoutWritten } from "../decisions/read-decisions.ts";
import type { RecordSite } from "../document-record.ts";
import { type LoggedDecision, readLogged } from "../logged-decisions.ts";
import { parseSession } from "../parse-session.ts";
import { isBoundary } from "../session/collect-facts.ts";
import { findLeft, type LeftHandover } from "../session/left-handovers.ts";
import { fromNote, type KnownText } from "../session/session-basis.ts";
import type { SessionDoc } from "../session-doc.ts";

/** What another session left, which session.md does not say. */
export interface LeftDoc {
  /** The session; undefined for what somebody wrote in none. */
  readonly by: string | undefined;
  readonly at: Date;
  readonly value: SessionDoc;
  /** The folder that it was written in, if it is another one. */
  readonly root: string | undefined;
}

/** What is told from the log, because the folder does not have it. */
export interface FromLog {
  /** Whether there is a session.md of it. */
  readonly hasSession: boolean;
  /** Whether there are decisions of it. */
  readonly hasDecisions: boolean;
  /** The folder that it was written in, where that is known. */
  readonly root: string | undefined;
}

/** What the log has of a project for a folder without a session.md. */
export interface LoggedHandover {
  /** What was left last. */
  readonly session: KnownText | undefined;
  readonly left: readonly LeftDoc[];
  /** Those that the folder does not have. */
  readonly decisions: readonly LoggedDecision[];
  /** Undefined where there is nothing of all that. */
  readonly fromLog: FromLog | undefined;
}

/**
 * Reads from the log what sessions in other work trees and clones of a project left and decided.
 *
 * What was written in this very folder is not among it: who has taken session.md away there wants to begin anew.
 */
export async function readLoggedHandover(
  site: RecordSite,
  {
    isTrusted,
    document,
  }: {
    readonly isTrusted: boolean;
    /** Where decisions.md is; undefined where it cannot be read. */
    readonly document: HandoverPlace | undefined;
  },
): Promise<LoggedHandover> {
  const [main, ...others] = (await findLeft(site, { isTrusted })).filter(({ root }) => root !== site.root);
  const logged = (await readLogged(site)).filter(({ root }) => root !== site.root);
  const decisions = await withoutWritten(document, logged);
  const last = decisions.findLast((each) => !isBoundary(each));
  const isEmpty = main === undefined && last === undefined;
  const root = main === undefined ? last?.root : main.root;
  return {
    session: main && fromNote(main.text, main.note),
    left: toLeftDocs(others, main?.root),
    decisions,
    fromLog: isEmpty ? undefined : { hasSession: main !== undefined, hasDecisions: last !== undefined, root },
  };
}

/** Returns what other sessions left in a folder beside its session.md. */
export async function readLeftBeside(
  site: RecordSite,
  found: KnownText,
  { isTrusted }: { readonly isTrusted: boolean },
): Promise<readonly LeftDoc[]> {
  // What others wrote has come in the place of what was left here, and may have taken it up.
  if (found.outside !== undefined) return [];
  const by = found.note?.data.by;
  const left = await findLeft(site, { isTrusted, root: site.root });
  return toLeftDocs(
    left.filter((each) => each.text !== found.text && (each.by === undefined || each.by !== by)),
    site.root,
  );
}

function toLeftDocs(left: readonly LeftHandover[], root: string | undefined): readonly LeftDoc[] {
  return left.map(({ by, note, text, ...each }) => ({
    ...{ by, at: note.at, value: parseSession(text).doc },
    root: each.root === root ? undefined : each.root,
  }));
}
