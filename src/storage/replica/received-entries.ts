import { sha256 } from "../../conversation/chain.ts";
import type { EntryContent } from "../../conversation/entry.ts";
import { hashAfter } from "../../conversation/follow-chain.ts";
import type { EntryId } from "../../conversation/ids.ts";
import type { LinkedEntry } from "../../conversation/replica.ts";
import { readScrubNote } from "../../conversation/scrub-note.ts";
import { applyEntry, type SessionFacts } from "../../conversation/session-facts.ts";
import { insertEntry, keepLeaf, maxEntries, type ReadyEntry, type SessionEnd } from "../append-plan.ts";
import { decodeContent, encodeBody, encodeContent, toBytes, toMs } from "../entry-codec.ts";
import type { Guard } from "../guard.ts";
import type { SqlRunner, Statement } from "../sql-driver.ts";

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

/** Entries of another store on their way into a session, inside one transaction. */
export class ReceivedEntries {
  readonly #runner: SqlRunner;
  readonly #guard: Guard;
  readonly #known: Set<EntryId>;
  readonly #held: number;
  #end: SessionEnd;

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

  /** Adds an entry as it is, its hash included; returns why it cannot be the next one. */
  async add(entry: LinkedEntry): Promise<string | undefined> {
    const problem = this.#findProblem(entry);
    if (problem !== undefined) return problem;
    const { ready, body } = this.#prepare(entry);
    const { leaf, leafStrand, key } = this.#end;
    if (leaf !== null && leafStrand !== entry.strand) await this.#run(keepLeaf(key, leafStrand, leaf));
    const bodyKey = await this.#storeBody(ready, body);
    if ((await this.#run(insertEntry(ready, bodyKey))) !== 1) return "another entry has its place";
    this.#known.add(entry.id);
    this.#end = ready.end;
    return undefined;
  }

  #findProblem(entry: LinkedEntry): string | undefined {
    const { seq, hash } = this.#end;
    if (entry.seq !== seq + 1) return `entry ${seq + 1} must come next`;
    if (hashAfter(hash, entry) !== entry.hash) return "its content does not match its hash";
    if (this.#known.has(entry.id)) return "its id is that of another entry";
    if (entry.parent !== null && !this.#known.has(entry.parent)) return "its parent does not come before it";
    return undefined;
  }

  #prepare(entry: LinkedEntry): { readonly ready: ReadyEntry; readonly body: StoredText } {
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

  /** Stores a body, or shares one that is known by the same hash: what was scrubbed here once stays scrubbed. */
  async #storeBody(ready: ReadyEntry, { hash, text, isScrubbed }: StoredText): Promise<number> {
    const [json, zstd] = encodeBody(text);
    const { key, projectKey, seq } = ready.end;
    const inserted = await this.#run({
      sql: `INSERT INTO body (key, project_key, hash, refs, json, zstd, scrubbed_hash)
            VALUES (?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING`,
      params: [
        ...[ready.bodyKey, projectKey, toBytes(hash), json, zstd],
        isScrubbed ? toBytes(sha256(text)) : null,
      ],
    });
    if (inserted === 1) {
      if (isScrubbed) await this.#markScrubbed(key, seq);
      return ready.bodyKey;
    }
    const rows = await this.#runner.all(
      "UPDATE body SET refs = refs + 1 WHERE project_key = ? AND hash = ? RETURNING key, scrubbed_hash",
      [projectKey, toBytes(hash)],
    );
    const [bodyKey, scrubbedHash] = rows[0] ?? [];
    if (scrubbedHash !== null) await this.#markScrubbed(key, seq);
    return bodyKey as number;
  }

  async #markScrubbed(key: number, seq: number): Promise<void> {
    await this.#run({ sql: "INSERT INTO scrubbed_entry VALUES (?, ?)", params: [key, seq] });
  }

  #run({ sql, params }: Statement): Promise<number> {
    return this.#runner.run(sql, params);
  }
}
