import { sha256 } from "../../sessions/chain.ts";
import type { EntryContent } from "../../sessions/entry.ts";
import { BrokenStretch } from "../../sessions/errors.ts";
import { hashAfter } from "../../sessions/follow-chain.ts";
import type { EntryId } from "../../sessions/ids.ts";
import type { LinkedEntry } from "../../sessions/replica.ts";
import { readScrubNote } from "../../sessions/scrub-note.ts";
import { applyEntry, type SessionFacts } from "../../sessions/session-facts.ts";
import { insertEntry, keepLeaf, maxEntries, type ReadyEntry, type SessionEnd } from "../append-plan.ts";
import { decodeContent, encodeBody, encodeContent, toBytes, toMs } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import { insertRows, type RowInsert } from "../insert-rows.ts";
import { sendAll } from "../session-row.ts";
import type { SqlRunner, SqlValue, Statement } from "../sql-driver.ts";

/** Where the entries are added, and what is known of those before them. */
interface ReceivedStart {
  readonly end: SessionEnd;
  /** The entries of the batch, and those that they follow, which the session has already. */
  readonly known: ReadonlySet<EntryId>;
  /** How many of the first entries are the origin's. */
  readonly held: number;
}

/** What is stored of an entry's body. */
interface StoredText {
  /** The hash that the chain covers. */
  readonly hash: string;
  readonly text: string;
  readonly isScrubbed: boolean;
}

/** An entry that is ready to be written, and the end of the session before it. */
interface Prepared {
  readonly before: SessionEnd;
  readonly ready: ReadyEntry;
  readonly body: StoredText;
}

/** Entries of another store on their way into a session, inside one transaction. */
export class ReceivedEntries {
  readonly #runner: SqlRunner;
  readonly #guard: Guard;
  readonly #known: Set<EntryId>;
  readonly #held: number;
  #end: SessionEnd;
  #replaced = 0;
  #stored: readonly { readonly ready: ReadyEntry; readonly bodyKey: number }[] = [];

  constructor(runner: SqlRunner, guard: Guard, { end, known, held }: ReceivedStart) {
    this.#runner = runner;
    this.#guard = guard;
    this.#end = end;
    this.#known = new Set(known);
    this.#held = held;
  }

  get end(): SessionEnd {
    return this.#end;
  }

  /** How many of the entries do not say what their hashes cover. */
  get replaced(): number {
    return this.#replaced;
  }

  /**
   * Stores the bodies of entries as they are, their hashes included; throws at the first that cannot be the next one.
   *
   * Statements of one kind go out together: a round trip each would cost more than they do.
   */
  async storeBodies(entries: readonly LinkedEntry[]): Promise<void> {
    const prepared: Prepared[] = [];
    for (const entry of entries) {
      const problem = this.#findProblem(entry);
      if (problem !== undefined) throw new BrokenStretch(this.#end.session, entry.seq, problem);
      const before = this.#end;
      const next = { ...this.#prepare(entry), before };
      prepared.push(next);
      this.#known.add(entry.id);
      this.#end = next.ready.end;
    }
    const leaves = prepared.flatMap(keepLeafBefore);
    const [keys] = await sendAll([
      this.#storeAll(prepared),
      ...leaves.map(({ sql, params }) => this.#runner.run(sql, params)),
    ]);
    this.#stored = prepared.map(({ ready }, index) => ({ ready, bodyKey: keys[index] ?? 0 }));
  }

  /** Adds the entries whose bodies are stored. */
  async insert(): Promise<void> {
    const rows = this.#stored.map(({ ready, bodyKey }) => insertEntry(ready, bodyKey).params);
    const inserted = new Set(await this.#insertAll(entryInsert, rows));
    const taken = this.#stored.find(({ ready }) => !inserted.has(ready.end.seq));
    if (taken === undefined) return;
    const { session, seq } = taken.ready.end;
    throw new BrokenStretch(session, seq, "another entry has its place");
  }

  #findProblem(entry: LinkedEntry): string | undefined {
    const { seq, hash } = this.#end;
    if (entry.seq !== seq + 1) return `entry ${seq + 1} must come next`;
    if (hashAfter(hash, entry) !== entry.hash) return "its content does not match its hash";
    if (this.#known.has(entry.id)) return "its id is that of another entry";
    if (entry.parent !== null && !this.#known.has(entry.parent)) return "its parent does not come before it";
    return undefined;
  }

  #prepare(entry: LinkedEntry): Omit<Prepared, "before"> {
    const { id, parent, strand, kind, hash } = entry;
    const said = decodeContent(kind, entry.body);
    const isNote = kind === "event" && readScrubNote(entry.body).length > 0;
    // A note holds ids and hashes only, and would be worth nothing if one of them looked like a secret.
    const content = isNote ? said : this.#guard.redact(said);
    const bodyHash = entry.scrubbedFrom ?? sha256(entry.body);
    const text = content === said ? entry.body : encodeContent(content).body;
    const { session, key, projectKey, seq } = this.#end;
    const facts = this.#describe(entry, content);
    const ready: ReadyEntry = {
      ...{ id, parent, strand, kind, atMs: toMs(entry.at), body: text, bodyHash },
      bodyKey: key * maxEntries + seq + 1,
      print: this.#guard.fingerprint(kind, strand, bodyHash),
      end: { session, key, projectKey, seq: seq + 1, hash, leaf: id, leafStrand: strand, facts },
    };
    const isScrubbed = entry.scrubbedFrom !== null || content !== said;
    return { ready, body: { hash: bodyHash, text, isScrubbed } };
  }

  /** What an entry of the origin says of a title, tags or the status is about the origin. */
  #describe({ id, at, seq }: LinkedEntry, content: EntryContent): SessionFacts {
    const { facts } = this.#end;
    const next = applyEntry(facts, { id, at, content });
    return seq > this.#held ? next : { ...facts, messages: next.messages, opening: next.opening };
  }

  /** Stores bodies, or shares those that are known by the same hash: what was scrubbed here once stays scrubbed. */
  async #storeAll(prepared: readonly Prepared[]): Promise<readonly number[]> {
    const isNew = new Set(await this.#insertAll(bodyInsert, prepared.map(toBodyRow)));
    const stored = await sendAll(
      prepared.map(({ ready, body: { hash, isScrubbed } }) =>
        isNew.has(ready.bodyKey)
          ? Promise.resolve({ key: ready.bodyKey, isScrubbed })
          : this.#shareBody(ready, hash),
      ),
    );
    const scrubbed = prepared.filter((_, index) => stored[index]?.isScrubbed === true);
    this.#replaced += scrubbed.length;
    await sendAll(
      scrubbed.map(({ ready: { end } }) =>
        this.#runner.run("INSERT INTO scrubbed_entry VALUES (?, ?)", [end.key, end.seq]),
      ),
    );
    return stored.map(({ key }) => key);
  }

  /** Returns the numbers by which the rows are known that were inserted. */
  async #insertAll(insert: RowInsert, rows: readonly (readonly SqlValue[])[]): Promise<readonly number[]> {
    const sent = insertRows(insert, rows).map(({ sql, params }) => this.#runner.all(sql, params));
    return (await sendAll(sent)).flat().map(([number]) => number as number);
  }

  async #shareBody(
    { end }: ReadyEntry,
    hash: string,
  ): Promise<{ readonly key: number; readonly isScrubbed: boolean }> {
    const rows = await this.#runner.all(
      "UPDATE body SET refs = refs + 1 WHERE project_key = ? AND hash = ? RETURNING key, scrubbed_hash",
      [end.projectKey, toBytes(hash)],
    );
    const [key, scrubbedHash] = rows[0] ?? [];
    return { key: key as number, isScrubbed: scrubbedHash !== null };
  }
}

function keepLeafBefore({ before: { key, leaf, leafStrand }, ready }: Prepared): readonly Statement[] {
  return leaf === null || leafStrand === ready.strand ? [] : [keepLeaf(key, leafStrand, leaf)];
}

const bodyInsert: RowInsert = {
  into: "INSERT INTO body (key, project_key, hash, refs, json, zstd, scrubbed_hash)",
  row: "(?, ?, ?, 1, ?, ?, ?)",
  after: "ON CONFLICT DO NOTHING RETURNING key",
};

const entryInsert: RowInsert = {
  into: "INSERT INTO entry",
  row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  after: "ON CONFLICT DO NOTHING RETURNING seq",
};

function toBodyRow({ ready, body: { hash, text, isScrubbed } }: Prepared): readonly SqlValue[] {
  const [json, zstd] = encodeBody(text);
  return [
    ...[ready.bodyKey, ready.end.projectKey, toBytes(hash), json, zstd],
    isScrubbed ? toBytes(sha256(text)) : null,
  ];
}
