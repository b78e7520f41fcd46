import type { Link } from "../../clients/claude-code/links.ts";
import { linkOf } from "../../clients/claude-code/read-observation.ts";
import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import type { Inbox, InboxItem } from "../../sessions/inbox.ts";
import { isBeginning, isMoment, tellsCommand } from "./moments.ts";

/** What hooks have told of a session and was not looked at yet. */
interface PendingSession {
  /** Where its transcript is. */
  readonly path: string | undefined;
  readonly links: ReadonlySet<Link>;
  /** Those because of which something may have to be written down, those that begin it, and those that say what turns ran. */
  readonly items: readonly InboxItem[];
}

/** The sessions that hooks have told of. */
export type Pending = ReadonlyMap<string, PendingSession>;

const pageSize = 500;

/** Reads which sessions hooks have told of. */
export async function readPending(inbox: Inbox): Promise<Pending> {
  const pending = new Map<string, OpenPending>();
  let after = 0;
  for (;;) {
    const items = await inbox.take(pageSize, after);
    for (const item of items) {
      const known = pending.get(item.session) ?? { path: undefined, links: new Set(), items: [] };
      pending.set(item.session, addItem(known, item));
      after = item.key;
    }
    if (items.length < pageSize) return pending;
  }
}

interface OpenPending {
  readonly path: string | undefined;
  readonly links: Set<Link>;
  readonly items: InboxItem[];
}

function addItem({ path, links, items }: OpenPending, item: InboxItem): OpenPending {
  const told = isJsonObject(item.payload) ? textOf(item.payload, "transcript_path") : undefined;
  if (isMoment(item) || isBeginning(item) || tellsCommand(item)) items.push(item);
  return { path: told ?? path, links: links.add(linkOf(item) ?? ""), items };
}
