import type { Dialect } from "../sql-driver.ts";

/**
 * What hits are ranked by: of each document its kind and its length, in how many documents each word stands, and how many
 * documents there are. Words are kept by their stems. An older index has none of this, and is made anew.
 */
export const rankedSearch = (dialect: Dialect): string => `
ALTER TABLE search_document ADD COLUMN kind TEXT NOT NULL DEFAULT '';
ALTER TABLE search_document ADD COLUMN length ${dialect.integer} NOT NULL DEFAULT 0;
CREATE TABLE search_word (
  stem TEXT NOT NULL,
  term TEXT NOT NULL,
  documents ${dialect.integer} NOT NULL,
  PRIMARY KEY (stem, term)
)${dialect.clustered};
ALTER TABLE search_state ADD COLUMN documents ${dialect.integer} NOT NULL DEFAULT 0;
ALTER TABLE search_state ADD COLUMN length ${dialect.integer} NOT NULL DEFAULT 0;
`;
