import { type ConversationLog, listAll } from "../sessions/conversation-log.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";
import { readConfig } from "../workspace/read-config.ts";
import { chooseShared } from "./choose-shared.ts";
import { type PushedProjects, readPushed } from "./pushed-projects.ts";
import { readRemote } from "./remote-setting.ts";

/** What others lose when sessions are deleted here. */
export interface Losses {
  readonly sessions: readonly Session[];
  /** The stores that they are shared through, as far as they are known. */
  readonly stores: readonly string[];
}

/** Finds which sessions others have as well: they came from elsewhere, or their project is shared or was pushed. */
export async function findLosses(
  { store, home }: { readonly store: Store; readonly home: string },
  sessions: readonly Session[],
): Promise<Losses> {
  if (sessions.length === 0) return { sessions: [], stores: [] };
  const pushed = await readPushed(home);
  const shared = await readShared(store, home);
  const came = await listCame(store.log);
  const storesOf = ({ project }: Session) => [...(shared.get(project) ?? []), ...(pushed.get(project) ?? [])];
  const lost = sessions.filter((session) => came.has(session.id) || storesOf(session).length > 0);
  return { sessions: lost, stores: [...new Set(lost.flatMap(storesOf))] };
}

async function readShared(store: Store, home: string): Promise<PushedProjects> {
  const { remote } = await readConfig(home, () => ({ remote: readRemote }));
  if (remote === undefined) return new Map();
  const { chosen } = await chooseShared(store, remote);
  return new Map(chosen.map(({ id }) => [id, [remote.url.shown]]));
}

async function listCame(log: ConversationLog): Promise<ReadonlySet<string>> {
  const came = new Set<string>();
  for (const query of [{ begun: "elsewhere" }, { newest: "elsewhere" }] as const)
    for await (const { id } of listAll(log, query)) came.add(id);
  return came;
}
