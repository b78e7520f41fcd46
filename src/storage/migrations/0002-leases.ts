import type { Dialect } from "../sql-driver.ts";

/**
 * Leases: the epoch and the end stand beside the head of a session, where an append compares them without another read;
 * the holder, which changes rarely, in a table of its own.
 */
export const leases = (dialect: Dialect): string => `
ALTER TABLE session_head ADD COLUMN epoch ${dialect.integer} NOT NULL DEFAULT 0;
ALTER TABLE session_head ADD COLUMN lease_until_ms ${dialect.integer};
CREATE TABLE lease (
  session_key ${dialect.integer} NOT NULL PRIMARY KEY REFERENCES session (key),
  holder TEXT NOT NULL
);
`;
