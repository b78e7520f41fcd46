import { appendFile, rename, writeFile } from "node:fs/promises";
import type { ClientFolder } from "./client-folder.ts";

export type WireRow = Readonly<Record<string, unknown>>;

/** A session as its client has written it so far. */
export interface WrittenSession {
  readonly id: string;
  /** The rows that the client has yet to write. */
  readonly coming: WireRow[];
  /** The rows that are whole. */
  readonly rows: WireRow[];
  /** Everything that was ever written, also what the client has dropped since. */
  text: string;
  /** Whether the client has dropped a title or a tag: where it stood in the talk, and its number, are not known any more. */
  lostState: boolean;
  /** How much of it hooks have told. */
  told: number;
  /** The rest of a row of which only the beginning is written. */
  torn: { readonly row: WireRow; readonly rest: string } | undefined;
}

/** A client that writes, forks, tears, rewrites and rotates its transcripts. */
export class ClientWorld {
  readonly sessions: WrittenSession[] = [];
  readonly #client: ClientFolder;
  #count = 0;

  constructor(client: ClientFolder) {
    this.#client = client;
  }

  /** Adds a session that is yet to be written; its rows get ids that no other session has. */
  async begin(rows: readonly WireRow[]): Promise<void> {
    const number = String(this.sessions.length + 1).padStart(8, "0");
    const id = `${number}-9999-4000-8000-000000000000`;
    const text = JSON.stringify(rows)
      .replaceAll('"00000000-0000-4000', `"${number}-0000-4000`)
      .replaceAll("11111111-2222-4333-8444-555555555555", id)
      .replace(/"(prompt-|toolu_)/g, `"$1${number}-`);
    await this.#add(id, JSON.parse(text));
  }

  /** Writes some of the rows that are to come. */
  async grow(session: WrittenSession, rows: number): Promise<void> {
    for (const row of session.coming.splice(0, rows)) await this.#write(session, row);
  }

  /** Writes only the beginning of the next row. */
  async tear(session: WrittenSession): Promise<void> {
    const row = session.torn === undefined ? session.coming.shift() : undefined;
    if (row === undefined) return;
    const line = JSON.stringify(row);
    const at = Math.floor(line.length / 2);
    await this.#append(session, line.slice(0, at));
    session.torn = { row, rest: line.slice(at) };
  }

  /** The client was killed in the middle of a row; the next one stands right behind it. */
  lose(session: WrittenSession): void {
    session.torn = undefined;
  }

  /** Forks a session as `--fork-session` does, or as the SDK does, which gives new ids. */
  async fork(origin: WrittenSession, by: "client" | "sdk"): Promise<void> {
    const path = rowsToCopy(origin.rows);
    if (path.length === 0) return;
    const id = `${String(this.sessions.length + 1).padStart(8, "0")}-9999-4000-8000-000000000000`;
    const copies = by === "client" ? copyRows(path, id) : copyAsSdk(path, origin.id, id);
    const own = this.#talk(id, String(copies.at(-1)?.uuid));
    const fork = await this.#add(id, [...own.slice(1), ...this.#talk(id, String(own.at(-1)?.uuid))]);
    const titles = origin.rows.filter(({ type }) => type === "custom-title").slice(-1);
    const rows = [...titles, ...copies, ...own.slice(0, 1)];
    fork.rows.push(...rows);
    await this.#append(fork, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }

  /** Replaces a transcript by one that says the same. */
  async rewrite(session: WrittenSession): Promise<void> {
    await this.#replace(session, session.text);
  }

  /** Drops what stands before the last compaction, as a client does with long transcripts; it must have been read. */
  async rotate(session: WrittenSession): Promise<void> {
    const lines = session.text.split("\n");
    const from = lines.findLastIndex((line) => line.includes('"compact_boundary"'));
    if (from <= 0) return;
    session.lostState ||= lines.slice(0, from).some((line) => !line.includes('"uuid"'));
    await this.#replace(session, lines.slice(from).join("\n"));
  }

  /** Writes everything that is to come, and ends. */
  async finish(): Promise<void> {
    for (const session of this.sessions) await this.grow(session, session.coming.length + 1);
    for (const { id, torn } of this.sessions) if (torn !== undefined) await this.#appendTo(id, "\n");
  }

  async #write(session: WrittenSession, row: WireRow): Promise<void> {
    const { torn } = session;
    if (torn !== undefined) {
      session.rows.push(torn.row);
      session.torn = undefined;
      await this.#append(session, `${torn.rest}\n`);
    }
    session.rows.push(row);
    await this.#append(session, `${JSON.stringify(row)}\n`);
  }

  /** A prompt and its answer. */
  #talk(sessionId: string, after: string): readonly WireRow[] {
    const make = (fields: WireRow, parentUuid: string) => {
      this.#count += 1;
      const timestamp = new Date(Date.UTC(2026, 10, 15, 0, 30, this.#count)).toISOString();
      const uuid = `own-${sessionId.slice(0, 8)}-${this.#count}`;
      return { uuid, parentUuid, sessionId, cwd: "/home/me", timestamp, ...fields };
    };
    const asked = make(
      {
        type: "user",
        promptId: `p-${sessionId.slice(0, 8)}-${this.#count}`,
        message: { role: "user", content: `go on ${this.#count}` },
      },
      after,
    );
    const message = {
      id: `msg-${this.#count}`,
      role: "assistant",
      content: [{ type: "text", text: "Yes." }],
    };
    return [asked, make({ type: "assistant", message }, String(asked.uuid))];
  }

  async #add(id: string, coming: readonly WireRow[]): Promise<WrittenSession> {
    const session: WrittenSession = {
      id,
      coming: [...coming],
      rows: [],
      text: "",
      told: 0,
      torn: undefined,
      lostState: false,
    };
    this.sessions.push(session);
    await this.#client.write(id, "");
    return session;
  }

  async #append(session: WrittenSession, text: string): Promise<void> {
    session.text += text;
    await this.#appendTo(session.id, text);
  }

  async #appendTo(id: string, text: string): Promise<void> {
    await appendFile(this.#client.locate(id), text);
  }

  async #replace({ id }: WrittenSession, text: string): Promise<void> {
    const path = this.#client.locate(id);
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  }
}

/** Returns the rows that a fork gets: all of the talk, or what comes after its last compaction. */
function rowsToCopy(rows: readonly WireRow[]): readonly WireRow[] {
  const talk = rows.filter(
    ({ uuid, isSidechain, type }) => uuid !== undefined && isSidechain !== true && type !== "progress",
  );
  const from = talk.findLastIndex(({ subtype }) => subtype === "compact_boundary");
  const [boundary, summary, ...rest] = talk.slice(from);
  if (from === -1 || boundary === undefined || summary === undefined) return talk;
  // What a compaction kept is copied behind the summary, and linked to it.
  const { preservedMessages } = boundary.compactMetadata as {
    preservedMessages?: { uuids: readonly string[] };
  };
  const linked = [summary];
  for (const uuid of preservedMessages?.uuids ?? []) {
    const kept = talk.findLast((row) => row.uuid === uuid);
    if (kept !== undefined) linked.push({ ...kept, parentUuid: linked.at(-1)?.uuid });
  }
  const last = linked.at(-1)?.uuid;
  const follow = (row: WireRow) => (row.parentUuid === summary.uuid ? { ...row, parentUuid: last } : row);
  return [boundary, ...linked, ...rest.map(follow)];
}

function copyRows(path: readonly WireRow[], sessionId: string): readonly WireRow[] {
  return path.map(({ promptId, ...row }) => ({
    ...{ ...row, sessionId },
    ...(promptId === undefined ? {} : { promptId: `copied-${sessionId.slice(0, 8)}` }),
  }));
}

function copyAsSdk(path: readonly WireRow[], from: string, sessionId: string): readonly WireRow[] {
  const copyOf = (uuid: unknown) =>
    typeof uuid === "string" ? `copy-${sessionId.slice(0, 8)}-${uuid}` : uuid;
  return path.map((row) => ({
    ...{ ...row, sessionId, uuid: copyOf(row.uuid), parentUuid: copyOf(row.parentUuid) },
    forkedFrom: { sessionId: from, messageUuid: row.uuid },
  }));
}
