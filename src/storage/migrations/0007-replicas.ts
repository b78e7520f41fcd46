import type { Dialect } from "../sql-driver.ts";

/**
 * What came from other stores: by which id they know it, from which machine its entries came, up to which entry, and
 * whether it was begun here nevertheless.
 *
 * And what stays of the entries of a deleted session: the beginnings of their hashes, so that a shorter copy elsewhere is
 * known to be a part of what was deleted.
 */
export const replicas = (dialect: Dialect): string => `
CREATE TABLE replica (
  session_key ${dialect.integer} NOT NULL PRIMARY KEY REFERENCES session (key),
  known_as TEXT NOT NULL,
  machine TEXT NOT NULL,
  seq ${dialect.integer} NOT NULL,
  begun_here ${dialect.integer} NOT NULL
);
CREATE INDEX replica_by_known_as ON replica (known_as);
CREATE TABLE tombstone (
  session_key ${dialect.integer} NOT NULL PRIMARY KEY REFERENCES session (key),
  hashes ${dialect.bytes} NOT NULL
);
`;
