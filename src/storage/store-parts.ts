import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { DigestStore } from "../sessions/digest-store.ts";
import type { Inbox } from "../sessions/inbox.ts";
import type { Ingestion } from "../sessions/ingestion.ts";
import type { Leases } from "../sessions/lease.ts";
import type { Projects } from "../sessions/project.ts";
import type { Replica } from "../sessions/replica.ts";
import type { Scrubber } from "../sessions/scrubber.ts";
import type { SearchIndex } from "../sessions/search-index.ts";
import { makeGuard } from "./guard.ts";
import { toInbox } from "./inbox/sql-inbox.ts";
import { SqlConversationLog } from "./sql-conversation-log.ts";
import type { SqlDriver } from "./sql-driver.ts";
import { SqlLeases } from "./sql-leases.ts";
import { SqlProjects } from "./sql-projects.ts";

type Method = (...args: never[]) => Promise<unknown>;

/** Returns methods of something that is loaded when the first of them is called. */
function lazily<Name extends string, Part extends Readonly<Record<Name, Method>>>(
  load: () => Promise<Part>,
  names: readonly Name[],
): Pick<Part, Name> {
  let loaded: Promise<Part> | undefined;
  const toMethod = (name: Name): Method => {
    return async (...args) => {
      loaded ??= load();
      return (await loaded)[name](...args);
    };
  };
  return Object.fromEntries(names.map((name) => [name, toMethod(name)])) as Pick<Part, Name>;
}

/** What is the same in the stores of all engines. */
export interface StoreParts extends AsyncDisposable {
  readonly log: ConversationLog;
  readonly leases: Leases;
  readonly projects: Projects;
  /** Hooks fill the one in the file of the home folder; that of a store on a server stays empty. */
  readonly inbox: Inbox;
  readonly ingestion: Ingestion;
  readonly replica: Replica;
  readonly scrubber: Scrubber;
  readonly search: SearchIndex;
  readonly digests: DigestStore;
}

/** Returns the parts of a store. What few commands need is loaded at its first use: each module costs all of them something. */
export function makeParts(driver: SqlDriver, key: Uint8Array): StoreParts {
  const guard = makeGuard(key);
  const loadReplica = async () => new (await import("./replica/sql-replica.ts")).SqlReplica(driver, key);
  return {
    log: new SqlConversationLog(driver, guard),
    leases: new SqlLeases(driver),
    projects: new SqlProjects(driver, guard),
    inbox: toInbox(driver),
    ingestion: lazily(
      async () => new (await import("./sql-ingestion.ts")).SqlIngestion(driver, key),
      ["find", "store", "flush", "states", "sharing", "natives", "deletions", "held", "redact"],
    ),
    replica: {
      ...lazily(loadReplica, ["find", "relatives", "hashes", "holds", "tombstone", "receive"]),
      read: async function* (session, range) {
        yield* (await loadReplica()).read(session, range);
      },
      heads: async function* (query) {
        yield* (await loadReplica()).heads(query);
      },
    },
    scrubber: lazily(
      async () => new (await import("./scrub/sql-scrubber.ts")).SqlScrubber(driver, key),
      ["find", "replace", "wipe"],
    ),
    search: lazily(
      async () => new (await import("./search/sql-search-index.ts")).SqlSearchIndex(driver),
      ["catchUp", "search", "rebuild", "describe"],
    ),
    digests: lazily(
      async () => new (await import("./digests/sql-digest-store.ts")).SqlDigestStore(driver),
      ["read", "keep", "clear"],
    ),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
