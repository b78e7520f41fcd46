import { makeChunks } from "./chunks.ts";
import { firstMark, lastMark, partMark } from "./marks.ts";
import { gapMark } from "./scan-texts.ts";
import { placeholders, type SearchDialect } from "./search-dialect.ts";

/** Terms have no character that needs an escape; where they stand is said with them, so that PostgreSQL divides nothing itself. */
export const postgresSearch: SearchDialect = {
  lock: async (transaction) =>
    void (await transaction.run("SELECT pg_advisory_xact_lock(hashtext('carryon search'))")),
  divide: (scanned, marks) => {
    const chunks = makeChunks(scanned);
    const all = [...marks, ...(chunks.length > 1 ? [partMark] : [])];
    // No phrase has a mark, so that they may follow the text at once.
    return chunks.map((terms) => toVector([...terms, ...all]));
  },
  insert: async (transaction, documents) => {
    for (let from = 0; from < documents.length; from += rowsAtOnce) {
      const some = documents.slice(from, from + rowsAtOnce);
      await transaction.run(
        `INSERT INTO search_document (key, session_key, seq, part, tools, kind, length, terms)
         VALUES ${some.map(() => "(?, ?, ?, ?, ?, ?, ?, CAST(? AS TSVECTOR))").join(", ")}`,
        some.flatMap(({ key, sessionKey, seq, part, tools, kind, length, terms }) => [
          ...[key, sessionKey, seq, part],
          ...[tools, kind, length, terms],
        ]),
      );
    }
    await transaction.run(
      `INSERT INTO search_word (term, documents) ${countTermsOf("key = ANY(CAST(? AS BIGINT[]))")}
       ON CONFLICT (term) DO UPDATE SET documents = search_word.documents + excluded.documents`,
      [`{${documents.map(({ key }) => key).join(",")}}`],
    );
  },
  forgetTerms: async (transaction, { sql, params }) => {
    const gone = `(${countTermsOf(sql)}) gone WHERE w.term = gone.term`;
    await transaction.run(
      `DELETE FROM search_word w USING ${gone} AND w.documents <= gone.documents`,
      params,
    );
    await transaction.run(
      `UPDATE search_word w SET documents = w.documents - gone.documents FROM ${gone}`,
      params,
    );
  },
  countTerms: (runner, terms) =>
    runner.all(`SELECT term, documents FROM search_word WHERE term IN (${placeholders(terms)})`, terms),
  clear: async (transaction) => {
    for (const table of ["search_document", "search_word"]) await transaction.run(`DELETE FROM ${table}`);
  },
  // A vacuum of the table does it.
  rewrite: async () => undefined,
  // Before it has counted, it would read the whole table for a rare word.
  settle: async (runner) => void (await runner.run("ANALYZE search_document")),
  syntax: {
    phrase: (terms, isPrefix) => `(${terms.map((term) => `'${term}'`).join(" <-> ")}${isPrefix ? ":*" : ""})`,
    ...{ and: " & ", or: " | ", not: " & !" },
  },
  tables: "search_document d",
  sessions: "JOIN session_head h ON h.session_key = d.session_key JOIN session s ON s.key = d.session_key",
  matches: "d.terms @@ CAST(? AS TSQUERY) AND d.key < ? AND d.key >= ?",
  selectKeys: `SELECT d.key - d.part FROM search_document d
    WHERE d.terms @@ CAST(? AS TSQUERY) AND d.key < ? AND d.key >= ?`,
  hasParts: true,
  order: "d.key",
  // It takes a look at a document for cheaper than it is.
  anyOrder: "d.key + 0",
  askBytes: "SELECT pg_total_relation_size('search_document') + pg_total_relation_size('search_progress')",
};

const rowsAtOnce = 500;

/** Counts in how many entries of some documents each term stands: numbers and ids are too many to be counted, and rare. */
function countTermsOf(documents: string): string {
  return `SELECT term, count(DISTINCT key - part) AS documents
    FROM search_document, unnest(tsvector_to_array(terms)) term
    WHERE ${documents} AND term !~ '[0-9${firstMark}-${lastMark}]' GROUP BY term`;
}

function toVector(terms: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, term] of terms.entries()) {
    if (term === gapMark) continue;
    const known = places.get(term);
    if (known === undefined) places.set(term, [index + 1]);
    else known.push(index + 1);
  }
  return Array.from(places, ([term, at]) => `'${term}':${at.join(",")}`).join(" ");
}
