import type { Dialect } from "../sql-driver.ts";
import { sessionsAndEntries } from "./0001-sessions-and-entries.ts";
import { leases } from "./0002-leases.ts";
import { scrubbedBodies } from "./0003-scrubbed-bodies.ts";
import { inbox } from "./0004-inbox.ts";
import { ingestion } from "./0005-ingestion.ts";
import { search } from "./0006-search.ts";
import { replicas } from "./0007-replicas.ts";
import { copies } from "./0008-copies.ts";
import { digests } from "./0009-digests.ts";
import { rankedSearch } from "./0010-ranked-search.ts";
import { wordCounts } from "./0011-word-counts.ts";

/** Every migration in order; number 1 is the first. Forward only; one that was released is never edited. */
export const migrations: readonly ((dialect: Dialect) => string)[] = [
  sessionsAndEntries,
  leases,
  scrubbedBodies,
  inbox,
  ingestion,
  search,
  replicas,
  copies,
  digests,
  rankedSearch,
  wordCounts,
];
