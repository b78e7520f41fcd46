import type { Dialect } from "../sql-driver.ts";

/** The index of terms on SQLite; it keeps where they stand, and no text. */
const searchTerms = `
CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', columnsize=0, tokenize='ascii');
INSERT INTO search_terms (search_terms, rank) VALUES ('secure-delete', 1);
`;

/** The index of terms on PostgreSQL. */
const searchVectors = `
ALTER TABLE search_document ADD COLUMN terms TSVECTOR NOT NULL;
CREATE INDEX search_document_by_term ON search_document USING gin (terms);
`;

/**
 * The search index: documents, in the order of the time of their entries, with the terms that stand in them; how far each
 * session is indexed; and by which rules, of which there is one row.
 */
export const search = (dialect: Dialect): string => `
CREATE TABLE search_document (
  key ${dialect.integer} PRIMARY KEY,
  session_key ${dialect.integer} NOT NULL,
  seq ${dialect.integer} NOT NULL,
  part ${dialect.integer} NOT NULL,
  tools TEXT
);
CREATE UNIQUE INDEX search_document_by_entry ON search_document (session_key, seq, part);
CREATE TABLE search_progress (
  session_key ${dialect.integer} PRIMARY KEY,
  up_to ${dialect.integer} NOT NULL,
  title TEXT
);
CREATE TABLE search_state (
  key ${dialect.integer} PRIMARY KEY,
  version ${dialect.integer} NOT NULL,
  revision ${dialect.integer} NOT NULL,
  wipe_due ${dialect.integer} NOT NULL
);
INSERT INTO search_state VALUES (1, 0, 0, 0);
${dialect.name === "sqlite" ? searchTerms : searchVectors}`;
