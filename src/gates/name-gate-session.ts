import { AppError } from "../lib/app-error.ts";
import { SeveralSessions } from "./choose-session.ts";
import type { ListedSession } from "./session-entry.ts";

/** The fewest characters that are taken for the beginning of an id. */
const least = 4;

/**
 * Returns the id of a session that somebody names: by its id, the beginning of one that lives, or `latest`.
 *
 * An id that nobody knows stands for itself: a session may be spoken of before it is seen.
 */
export function nameGateSession(named: string, living: readonly ListedSession[]): string {
  if (!/^(?=.*\w)[\w.:@-]{1,128}$/.test(named)) {
    throw new AppError(
      "This is no id of a session: it has up to 128 letters, digits and the signs . : @ _ -",
      {
        kind: "usage",
        code: "bad-gate-request",
        hint: "List those that live with `carryon gate sessions`.",
      },
    );
  }
  if (named === "latest") return idOf(newest(living));
  const id = /^[0-9a-f-]{32,}$/i.test(named) ? named.toLowerCase() : named;
  const exact = living.find(({ key, fullId }) => key === id || fullId === id);
  if (exact !== undefined) return idOf(exact);
  const near = id.length < least ? [] : living.filter((session) => idOf(session).startsWith(id));
  if (near.length > 1) throw new SeveralSessions(near);
  return near[0] === undefined ? id : idOf(near[0]);
}

function idOf({ fullId, key }: Pick<ListedSession, "fullId" | "key">): string {
  return fullId ?? key;
}

function newest(sessions: readonly ListedSession[]): ListedSession {
  const timeOf = ({ lastActive }: ListedSession) => lastActive?.getTime() ?? 0;
  const [found] = sessions.toSorted((one, other) => timeOf(other) - timeOf(one));
  if (found !== undefined) return found;
  throw new AppError("No session lives in this project.", {
    kind: "usage",
    code: "no-live-session",
    hint: "Name one by its id.",
  });
}
