import { insertRows } from "../insert-rows.ts";
import { searchTerms } from "../migrations/0012-forget-by-key.ts";
import { gapMark } from "./scan-texts.ts";
import { placeholders, renderExpression, type SearchDialect, type Syntax, toRow } from "./search-dialect.ts";

const insertTerms = "INSERT INTO search_terms (rowid, terms) VALUES (CAST(? AS INTEGER), ?)";

/** FTS5 divides at everything but letters and digits of ASCII, and takes all other characters for letters. */
export const sqliteSearch: SearchDialect = {
  // The transaction has the whole store.
  lock: async () => undefined,
  // It divides words itself, and a document may be of any length.
  divide: (scanned, marks) => [[...scanned, ...marks].join(` ${gapMark} `)],
  insert: async (transaction, documents) => {
    const rows = { into: "INSERT INTO search_document", row: "(?, ?, ?, ?, ?, ?, ?)" };
    // All of these first: FTS5 writes out what it has gathered when a statement of several rows begins.
    for (const { sql, params } of insertRows(rows, documents.map(toRow))) await transaction.run(sql, params);
    for (const { key, terms } of documents) await transaction.run(insertTerms, [key, terms]);
  },
  forgetTerms: async (transaction, { sql, params }) => {
    await transaction.run(
      `DELETE FROM search_terms WHERE rowid IN (SELECT key FROM search_document WHERE ${sql})`,
      params,
    );
  },
  countTerms: async (runner, terms) => {
    // A table of the connection, because a store that may only be read has it too.
    await runner.run(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.search_counts USING fts5vocab(main, search_terms, row)",
    );
    return runner.all(
      `SELECT term, doc FROM temp.search_counts WHERE term IN (${placeholders(terms)})`,
      terms,
    );
  },
  clear: async (transaction) => {
    await transaction.run("DROP TABLE search_terms");
    await transaction.run(searchTerms);
    await transaction.run("DELETE FROM search_document");
  },
  rewrite: async (transaction) => {
    await transaction.run("INSERT INTO search_terms (search_terms) VALUES ('optimize')");
  },
  // It does not estimate.
  settle: async () => undefined,
  conditionsOf: (expression) => [
    { sql: "t.search_terms MATCH ?", params: [renderExpression(syntax, expression)] },
  ],
  // In this order: the terms give the newest first, and most of the rest need not be looked at.
  terms: "search_terms t",
  documents: "CROSS JOIN search_document d ON d.key = t.rowid",
  sessions: `CROSS JOIN session_head h ON h.session_key = d.session_key
    CROSS JOIN session s ON s.key = d.session_key`,
  key: "t.rowid",
  anyOrder: "t.rowid",
  askBytes: "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name GLOB 'search_*'",
};

const syntax: Syntax = {
  phrase: (terms, isPrefix) => `"${terms.join(" ")}"${isPrefix ? " *" : ""}`,
  ...{ and: " AND ", or: " OR ", not: " NOT " },
};
