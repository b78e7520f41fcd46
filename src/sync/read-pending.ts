import { isJsonObject, textOf } from "../clients/claude-code/wire.ts";
import type { Inbox } from "../conversation/inbox.ts";

/** The sessions that hooks have told of what was not looked at yet, and where their transcripts are. */
export type Pending = ReadonlyMap<string, string | undefined>;

const pageSize = 500;

/** Reads which sessions hooks have told of. */
export async function readPending(inbox: Inbox): Promise<Pending> {
  const pending = new Map<string, string | undefined>();
  let after = 0;
  for (;;) {
    const items = await inbox.take(pageSize, after);
    for (const { key, session, payload } of items) {
      const path = isJsonObject(payload) ? textOf(payload, "transcript_path") : undefined;
      pending.set(session, path ?? pending.get(session));
      after = key;
    }
    if (items.length < pageSize) return pending;
  }
}
