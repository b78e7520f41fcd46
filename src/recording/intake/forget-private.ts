import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import type { Inbox, InboxItem } from "../../sessions/inbox.ts";
import type { Privacy } from "../privacy.ts";
import { isPrivateAt } from "../private-sessions.ts";
import { isRecordedIn } from "../record-rules.ts";

const pageSize = 500;

/** Forgets what hooks told of private times and folders: those of 0.1.0 do not ask before they tell. */
export async function forgetPrivate(inbox: Inbox, privacy: Privacy): Promise<void> {
  const { rules, isAny, spansOf } = privacy;
  if (!isAny) return;
  const isPrivate = ({ session, receivedAt, payload }: InboxItem): boolean => {
    const cwd = isJsonObject(payload) ? textOf(payload, "cwd") : undefined;
    return (
      isPrivateAt({ spans: spansOf(session) }, receivedAt.getTime()) ||
      (cwd !== undefined && !isRecordedIn(rules, cwd))
    );
  };
  for (let after = 0; ; ) {
    const items = await inbox.take(pageSize, after);
    const forgotten = items.filter(isPrivate).map(({ key }) => key);
    if (forgotten.length > 0) await inbox.forget(forgotten);
    after = items.at(-1)?.key ?? after;
    if (items.length < pageSize) return;
  }
}
