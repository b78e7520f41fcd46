import { isObject } from "../../lib/field-readers.ts";
import { findSecrets } from "../../redaction/find-secrets.ts";
import { ChainFollower } from "../../sessions/follow-chain.ts";
import type { EntryId, SessionId } from "../../sessions/ids.ts";
import { describeIssue } from "../../sessions/parse-new-entry.ts";
import type { ProjectId } from "../../sessions/project.ts";
import type { LinkedEntry, ReplicaSession } from "../../sessions/replica.ts";
import { recordClient } from "../../sessions/session.ts";
import { BadImport } from "../bad-import.ts";
import { EntryParser, type PlacedValue, type Scrutiny } from "./parse-entry.ts";
import { endSchema, formatVersion, headerSchema, type WireHeader } from "./wire.ts";

/**
 * Opens the values of an export from the first on; as often as is asked for.
 *
 * What was read whole once is read again faster: the hashes of its entries prove that it is the same.
 */
export type OpenValues = (scrutiny: Scrutiny) => AsyncIterable<PlacedValue> | Iterable<PlacedValue>;

/** A session of an export, of which every hash is right. */
interface Surveyed {
  readonly session: ReplicaSession;
  /** The machine that the export comes from. */
  readonly machine: string;
}

export interface Survey {
  readonly sessions: readonly Surveyed[];
  /** What is wrong with the file; the sessions are those before it, the last of them as far as it is whole. */
  readonly problem: BadImport | undefined;
}

/** Reads an export to its end, or to the first thing that is wrong with it. Keeps nothing of the entries. */
export async function surveyExport(open: OpenValues): Promise<Survey> {
  const sessions: Surveyed[] = [];
  const follower = new RecordFollower("whole");
  try {
    for await (const value of open("whole")) {
      const record = follower.take(value);
      if (record.type === "end") sessions.push({ session: record.session, machine: record.machine });
    }
    follower.finish();
    return { sessions, problem: undefined };
  } catch (error) {
    if (!(error instanceof BadImport)) throw error;
    const { unfinished } = follower;
    // Without an entry there is nothing of it to keep.
    const isBegun = unfinished !== undefined && unfinished.session.entries > 0;
    return { sessions: isBegun ? [...sessions, unfinished] : sessions, problem: error };
  }
}

/** What the values of an export are, one after another. */
export type ExportRecord =
  | { readonly type: "begin"; readonly header: WireHeader }
  | { readonly type: "entry"; readonly entry: LinkedEntry }
  /** The session with its head, of which every hash is right. */
  | { readonly type: "end"; readonly session: ReplicaSession; readonly machine: string };

/** Turns values into sessions and entries, and proves that they are one chain each; throws `BadImport` at the first that is not. */
export class RecordFollower {
  readonly #parser: EntryParser;
  #header: WireHeader | undefined;
  #chain = new ChainFollower();
  #forkHash: string | undefined;
  /** How many sessions of the file are still announced. */
  #due = 0;

  constructor(scrutiny: Scrutiny) {
    this.#parser = new EntryParser(scrutiny);
  }

  take({ where, value }: PlacedValue): ExportRecord {
    if (this.#header === undefined) return this.#begin(where, value);
    if (isObject(value) && Object.hasOwn(value, "head")) return this.#end(where, value, this.#header);
    return this.#entry(where, value, this.#header);
  }

  /** Throws unless everything that was announced has come. */
  finish(): void {
    if (this.#header === undefined && this.#due === 0) return;
    throw new BadImport("The end", "the file was cut off: its last line, the head of the chain, is missing");
  }

  /** Returns the session that has not ended, as far as it has come. */
  get unfinished(): { readonly session: ReplicaSession; readonly machine: string } | undefined {
    return this.#header === undefined ? undefined : this.#toSession(this.#header);
  }

  #begin(where: string, value: unknown): ExportRecord {
    const header = parseHeader(where, value);
    const { number, of } = header.part;
    const expected = this.#due === 0 ? 1 : of - this.#due + 1;
    if (number !== expected || number > of)
      throw new BadImport(where, `it is session ${number} of ${of}, and ${expected} must follow`);
    this.#due = of - number + 1;
    this.#header = header;
    this.#chain = new ChainFollower();
    this.#forkHash = undefined;
    return { type: "begin", header };
  }

  #entry(where: string, value: unknown, header: WireHeader): ExportRecord {
    const entry = this.#parser.parse(value);
    if (typeof entry === "string") throw new BadImport(where, entry);
    const { forkedFrom } = header.session;
    const problem = this.#chain.take(entry) ?? findForkProblem(entry, forkedFrom);
    if (problem !== undefined) throw new BadImport(where, problem);
    if (entry.seq === forkedFrom?.seq) this.#forkHash = entry.hash;
    return { type: "entry", entry };
  }

  #end(where: string, value: unknown, header: WireHeader): ExportRecord {
    const end = endSchema.safeParse(value);
    if (!end.success) throw new BadImport(where, describeIssue(end.error));
    const { head, entries } = this.#chain;
    if (end.data.entries !== entries)
      throw new BadImport(where, `it ends after ${end.data.entries} entries, and ${entries} came`);
    if (end.data.head !== head) throw new BadImport(where, "it is not the hash of the last entry");
    const unnoted = this.#chain.findUnnoted();
    if (unnoted !== undefined)
      throw new BadImport(where, `the content of entry ${unnoted} was replaced, and no entry says so`);
    if (header.session.forkedFrom !== null && this.#forkHash === undefined)
      throw new BadImport(where, "the entry at which it was forked has not come");
    this.#header = undefined;
    this.#due -= 1;
    return { type: "end", ...this.#toSession(header) };
  }

  #toSession({ session, machine }: WireHeader): { session: ReplicaSession; machine: string } {
    const { forkedFrom } = session;
    const { entries, head } = this.#chain;
    return {
      machine,
      session: {
        ...session,
        id: session.id as SessionId,
        project: { id: session.project.id as ProjectId, name: session.project.name },
        startedAt: new Date(session.startedAt),
        forkedFrom:
          forkedFrom === null || this.#forkHash === undefined
            ? null
            : {
                session: forkedFrom.session as SessionId,
                entry: forkedFrom.entry as EntryId,
                seq: forkedFrom.seq,
                hash: this.#forkHash,
              },
        entries,
        head,
      },
    };
  }
}

function findForkProblem(
  entry: LinkedEntry,
  forkedFrom: WireHeader["session"]["forkedFrom"],
): string | undefined {
  return entry.seq === forkedFrom?.seq && entry.id !== forkedFrom.entry
    ? "it is not the one at which the session says it was forked"
    : undefined;
}

function parseHeader(where: string, value: unknown): WireHeader {
  if (isObject(value) && typeof value.version === "number" && value.version > formatVersion)
    throw new BadImport(where, `it was written by a newer Carryon (version ${value.version} of the format)`, {
      hint: "Update Carryon here first.",
    });
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success)
    throw new BadImport(where, `it is no header of a session: ${describeIssue(parsed.error)}`);
  const { session } = parsed.data;
  if (session.client === recordClient)
    throw new BadImport(where, "what Carryon wrote down of a project's documents is not imported");
  for (const field of ["id", "clientSessionId", "machine"] as const)
    if (findSecrets(session[field] ?? "").length > 0)
      throw new BadImport(where, `session.${field} must not be a secret`);
  return parsed.data;
}
