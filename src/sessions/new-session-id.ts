import type { RandomSource } from "../lib/uuid-v7.ts";
import { findSecrets } from "../redaction/find-secrets.ts";
import { makeSessionId, type SessionId } from "./ids.ts";

/** Makes the id of a session that begins now; a title that holds a secret does not become part of it. */
export function newSessionId(
  { random }: { readonly random: RandomSource },
  now: Date,
  title = "",
): SessionId {
  return makeSessionId(now, title === "" || findSecrets(title).length === 0 ? title : "", random);
}
