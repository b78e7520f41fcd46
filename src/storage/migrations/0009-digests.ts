import type { Dialect } from "../sql-driver.ts";

/** The digests of sessions: what their entries up to `seq` come to, by the rules of a version. Derived from the log. */
export const digests = (dialect: Dialect): string => `
CREATE TABLE session_digest (
  session_key ${dialect.integer} NOT NULL PRIMARY KEY,
  version ${dialect.integer} NOT NULL,
  seq ${dialect.integer} NOT NULL,
  body TEXT NOT NULL
);
`;
