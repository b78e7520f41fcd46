import type { Link } from "../clients/claude-code/links.ts";
import { linkOf } from "../clients/claude-code/read-observation.ts";
import { isJsonObject, textOf } from "../clients/claude-code/wire.ts";
import type { Inbox } from "../conversation/inbox.ts";

/** What hooks have told of a session and was not looked at yet. */
interface PendingSession {
  /** Where its transcript is. */
  readonly path: string | undefined;
  readonly links: ReadonlySet<Link>;
}

/** The sessions that hooks have told of. */
export type Pending = ReadonlyMap<string, PendingSession>;

const pageSize = 500;

/** Reads which sessions hooks have told of. */
export async function readPending(inbox: Inbox): Promise<Pending> {
  const pending = new Map<string, { path: string | undefined; links: Set<Link> }>();
  let after = 0;
  for (;;) {
    const items = await inbox.take(pageSize, after);
    for (const item of items) {
      const { key, session, payload } = item;
      const { path, links } = pending.get(session) ?? { path: undefined, links: new Set() };
      const told = isJsonObject(payload) ? textOf(payload, "transcript_path") : undefined;
      pending.set(session, { path: told ?? path, links: links.add(linkOf(item) ?? "") });
      after = key;
    }
    if (items.length < pageSize) return pending;
  }
}
