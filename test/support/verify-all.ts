import type { ConversationLog } from "../../src/sessions/conversation-log.ts";

/** Returns what verify says of each session: how many entries were scrubbed, and what is wrong. */
export async function verifyAll({ log }: { readonly log: ConversationLog }) {
  const { sessions } = await log.list({ limit: 500 });
  const found = await Promise.all(sessions.map(({ id }) => log.verify(id)));
  return Object.fromEntries(found.map(({ session, scrubbed, problem }) => [session, { scrubbed, problem }]));
}
