import type { Dialect } from "../sql-driver.ts";

/**
 * The inbox: what hooks saw, in the order of their keys, until sync has dealt with it.
 *
 * No key is given twice, so that what is made of a row may be named after it.
 */
export const inbox = (dialect: Dialect): string => `
CREATE TABLE inbox (
  key ${dialect.name === "sqlite" ? "INTEGER PRIMARY KEY AUTOINCREMENT" : dialect.serialKey},
  received_ms ${dialect.integer} NOT NULL,
  client TEXT NOT NULL,
  event TEXT NOT NULL,
  session_id TEXT NOT NULL,
  payload TEXT NOT NULL
);
`;
