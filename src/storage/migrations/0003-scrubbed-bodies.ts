import type { Dialect } from "../sql-driver.ts";

/** Bodies that were replaced because they held a secret, and the entries that had them. */
export const scrubbedBodies = (dialect: Dialect): string => `
ALTER TABLE body ADD COLUMN scrubbed_hash ${dialect.bytes};
CREATE TABLE scrubbed_entry (
  session_key ${dialect.integer} NOT NULL REFERENCES session (key),
  seq ${dialect.integer} NOT NULL,
  PRIMARY KEY (session_key, seq)
)${dialect.clustered};
CREATE TABLE wipe_due (
  key ${dialect.integer} PRIMARY KEY
);
`;
