import type { Dialect } from "../sql-driver.ts";

/** The index of terms on SQLite: it keeps where they stand and no text, and forgets a document by its key alone. */
export const searchTerms = `
CREATE VIRTUAL TABLE search_terms USING fts5(terms, content='', contentless_delete=1, tokenize='ascii');
`;

/**
 * Documents are taken out of the index by their keys, without the terms that they were put in with; whoever wipes a store
 * rewrites the index in any case. An older index is made anew.
 */
export const forgetByKey = (dialect: Dialect): string => `
ALTER TABLE search_state DROP COLUMN wipe_due;
${dialect.name === "sqlite" ? `DROP TABLE search_terms;\n${searchTerms}` : ""}`;
