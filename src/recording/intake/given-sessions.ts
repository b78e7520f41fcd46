import type { LiveSessions } from "../../clients/claude-code/live-sessions.ts";
import type { Liveness } from "../../lib/process-identity.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { Inbox } from "../../sessions/inbox.ts";
import type { Privacy } from "../privacy.ts";

/** Which session each native id stands for that Carryon gave the client: see `Ingestion.natives`. */
export type GivenSessions = ReadonlyMap<string, SessionId>;

/** Returns an inbox whose items name sessions as the store does. */
export function nameInbox(inbox: Inbox, given: GivenSessions): Inbox {
  const take: Inbox["take"] = async (limit, after) =>
    (await inbox.take(limit, after)).map((item) => {
      const session = given.get(item.session);
      return session === undefined ? item : { ...item, session };
    });
  return { take, forget: (keys) => inbox.forget(keys) };
}

/** Returns the live sessions as the store names them. */
export function nameLive(live: LiveSessions, given: GivenSessions): LiveSessions {
  const named = new Map<string, Liveness>(live);
  for (const [native, session] of given) {
    const liveness = live?.get(native);
    if (liveness !== undefined && named.get(session) !== "alive") named.set(session, liveness);
  }
  return live && named;
}

/** Returns what is private, where a session is private under any of its names. */
export function namePrivacy(privacy: Privacy, given: GivenSessions): Privacy {
  const spansOf: Privacy["spansOf"] = (session) => [
    ...privacy.spansOf(session),
    ...[...given].flatMap(([native, known]) =>
      known === session && native !== session ? privacy.spansOf(native) : [],
    ),
  ];
  return { ...privacy, spansOf };
}
