import { insertRows } from "../insert-rows.ts";
import { makeChunks } from "./chunks.ts";
import { firstMark, lastMark, partMark } from "./marks.ts";
import type { Item } from "./parse-query.ts";
import { gapMark } from "./scan-texts.ts";
import { placeholders, renderExpression, type SearchDialect, type Syntax, toRow } from "./search-dialect.ts";

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
    const rows = documents.map((each) => [...toRow(each), each.terms]);
    const into = "INSERT INTO search_document (key, session_key, seq, part, tools, kind, length, terms)";
    const row = "(?, ?, ?, ?, ?, ?, ?, CAST(? AS TSVECTOR))";
    for (const { sql, params } of insertRows({ into, row }, rows)) await transaction.run(sql, params);
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
  conditionsOf: (expression) => {
    const { items, marks, without } = expression;
    // Of an entry in several documents, each item may stand in another one.
    const renderPart = (...some: readonly Item[]) =>
      renderExpression(syntax, { items: some, marks: [...marks, [partMark]], without: undefined });
    const wanted = items.length === 0 ? [renderPart()] : items.map((item) => renderPart(item));
    const unwanted = without === undefined ? [] : [renderPart(without)];
    const entries = `SELECT key - part FROM search_document WHERE ${fits}`;
    const all = wanted.map(() => entries).join(" INTERSECT ");
    return [
      { sql: `d.${fits}`, params: [`(${renderExpression(syntax, expression)}) & !'${partMark}'`] },
      {
        sql: `d.key IN (${[all, ...unwanted.map(() => entries)].join(" EXCEPT ")})`,
        params: [...wanted, ...unwanted],
      },
    ];
  },
  terms: "search_document d",
  documents: "",
  sessions: "JOIN session_head h ON h.session_key = d.session_key JOIN session s ON s.key = d.session_key",
  key: "d.key",
  // It takes a look at a document for cheaper than it is.
  anyOrder: "d.key + 0",
  askBytes: "SELECT pg_total_relation_size('search_document') + pg_total_relation_size('search_progress')",
};

const syntax: Syntax = {
  phrase: (terms, isPrefix) => `(${terms.map((term) => `'${term}'`).join(" <-> ")}${isPrefix ? ":*" : ""})`,
  ...{ and: " & ", or: " | ", not: " & !" },
};
const fits = "terms @@ CAST(? AS TSQUERY)";

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
