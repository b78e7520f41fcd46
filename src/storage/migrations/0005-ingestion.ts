import type { Dialect } from "../sql-driver.ts";

/** How far each file of a client was read into the log. */
export const ingestion = (dialect: Dialect): string => `
CREATE TABLE ingestion (
  client TEXT NOT NULL,
  path TEXT NOT NULL,
  session_id TEXT NOT NULL,
  revision ${dialect.integer} NOT NULL,
  position TEXT NOT NULL,
  first_entry TEXT,
  state ${dialect.bytes} NOT NULL,
  PRIMARY KEY (client, path)
);
CREATE INDEX ingestion_by_session ON ingestion (session_id);
CREATE INDEX ingestion_by_first_entry ON ingestion (first_entry);
`;
