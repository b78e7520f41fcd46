import { readConfig } from "../workspace/read-config.ts";
import type { NotRecorded } from "./not-recorded.ts";
import { hasPrivateSessions, isPrivateAt, type PrivateSpan, readPrivateSession } from "./private-sessions.ts";
import { isRecordedIn, type RecordRule, readRecord } from "./record-rules.ts";

/** What the user does not want to be recorded. */
export interface Privacy {
  readonly rules: readonly RecordRule[];
  /** Whether there is anything that is not to be recorded. */
  readonly isAny: boolean;
  /** Returns when a session is not recorded. */
  readonly spansOf: (session: string) => readonly PrivateSpan[];
}

/** Reads what the user of a home folder does not want to be recorded. */
export async function openPrivacy(home: string): Promise<Privacy> {
  const { record: rules = [] } = await readConfig(home, () => ({ record: readRecord }));
  return {
    rules,
    isAny: rules.length > 0 || hasPrivateSessions(home),
    spansOf: (session) => readPrivateSession(home, session)?.spans ?? [],
  };
}

/** Tells why what happens in a session now is not recorded; undefined where it is. */
export async function whyNotRecorded(
  home: string,
  {
    folder,
    session,
    now,
  }: { readonly folder: string; readonly session?: string | undefined; readonly now: Date },
): Promise<NotRecorded | undefined> {
  const { rules, spansOf } = await openPrivacy(home);
  if (!isRecordedIn(rules, folder)) return "folder";
  const spans = session === undefined ? [] : spansOf(session);
  return isPrivateAt({ spans }, now.getTime()) ? "session" : undefined;
}
