import type { Dialect } from "../sql-driver.ts";

/** In how many entries each word stands: SQLite knows that from its index, PostgreSQL has a table. An older index is made anew. */
export const wordCounts = (dialect: Dialect): string => `
DROP TABLE search_word;
${dialect.name === "sqlite" ? "" : "CREATE TABLE search_word (term TEXT PRIMARY KEY, documents BIGINT NOT NULL);"}
`;
