import { makeSessionId, type SessionId } from "../conversation/ids.ts";
import { findSecrets } from "../lib/redaction/find-secrets.ts";
import type { CommandContext } from "./command-context.ts";

/** Makes the id of a session that begins now; a title that holds a secret does not become part of it. */
export function newSessionId({ random }: CommandContext, now: Date, title = ""): SessionId {
  return makeSessionId(now, findSecrets(title).length === 0 ? title : "", random);
}
