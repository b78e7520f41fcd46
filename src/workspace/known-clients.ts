import { clientNames } from "../clients/registry.ts";
import { usageError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import type { ConversationLog } from "../sessions/conversation-log.ts";
import { ownClients } from "../sessions/session.ts";

/** Returns the names of the clients that Carryon knows: its own and the registered ones. */
export function knownClients(): readonly string[] {
  return [...ownClients, ...clientNames()];
}

/** Throws for a name that is neither known nor in the store, and near one that is known: it is mistyped. */
export async function refuseMistyped(
  log: Pick<ConversationLog, "list">,
  client: string | undefined,
): Promise<void> {
  const known = knownClients();
  const [near] = client === undefined || known.includes(client) ? [] : suggest(client, known);
  if (client === undefined || near === undefined) return;
  if ((await log.list({ client, limit: 1 })).sessions.length > 0) return;
  const message = `There are no sessions of a client ${JSON.stringify(client)} in this store.`;
  throw usageError("unknown-client", message, { hint: `Did you mean ${near}?` });
}
