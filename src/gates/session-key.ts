import type { SessionKey } from "./state/gate-state.ts";

/** Returns the full ids of the sessions that something is kept of under a key, as far as they are known. */
export type KeyOwners = (key: SessionKey) => ReadonlySet<string>;

/** Words that the state of a gate uses for itself, in the place of a session. */
const reserved: ReadonlySet<string> = new Set(["all", "every-session"]);

/** An id of 32 hex digits stands for itself only in full, so that a longer key must have fewer. */
const lengths = [8, 12, 16, 20, 24, 28];

/**
 * Returns the key that a session is known by as long as no other has the same: the first 8 of 32 or more hex digits,
 * else the whole id. A key is its own key; an empty id has none.
 */
export function normalizeSessionId(id: string): SessionKey | undefined {
  if (id === "") return undefined;
  const digits = hexDigitsOf(id);
  if (digits !== undefined) return digits.slice(0, 8) as SessionKey;
  return (reserved.has(id) ? `id-${id}` : id) as SessionKey;
}

/**
 * Returns the key of a session among others: the one that it has, else the shortest that no other has.
 *
 * A key under which something is kept of nobody known belongs to whoever comes: older tools do not write whose it is.
 */
export function chooseSessionKey(id: string, ownersOf: KeyOwners): SessionKey | undefined {
  const short = normalizeSessionId(id);
  const digits = hexDigitsOf(id);
  if (short === undefined || digits === undefined) return short;
  const last = `id-${id}` as SessionKey;
  const keys = [...lengths.map((length) => digits.slice(0, length) as SessionKey), last];
  let free: SessionKey | undefined;
  for (const key of keys) {
    const ids = ownersOf(key);
    // Most sessions have the first: the others need not be looked at.
    if (ids.size === 1 && ids.has(id)) return key;
    if (ids.size === 0) free ??= key;
  }
  return free ?? last;
}

/** Returns the digits of an id that has nothing but them and dashes; undefined for any other. */
function hexDigitsOf(id: string): string | undefined {
  if (id.length < 32) return undefined;
  const digits = id.replaceAll("-", "");
  return digits.length >= 32 && /^[0-9a-f]+$/i.test(digits) ? digits : undefined;
}
