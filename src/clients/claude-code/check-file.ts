import { parseIfJson } from "../../lib/json.ts";
import type { RawLine } from "../../lib/line-splitter.ts";
import type { JsonObject } from "../../sessions/entry.ts";
import type { Fault, FileFacts, FileHealth } from "../client.ts";
import { mendRows } from "./mend-rows.ts";
import { readContent } from "./read-content.ts";
import { userRow } from "./row-content.ts";
import { toUuid } from "./row-ids.ts";
import { escapeSeparators, type ScannedLine, scanLines } from "./scan-lines.ts";
import { entryOf, type Seat, Seats } from "./seats.ts";
import { isQueued, StoredRows } from "./stored-rows.ts";
import { noResult } from "./to-rows.ts";
import { blocksOf, isJsonObject, objectOf, textOf, toRow } from "./wire.ts";

/**
 * Examines the lines of a transcript. Pure: the same lines and facts give the same answer.
 *
 * Every row that can be read stays. What the file lacks comes from the rows of the store, each behind its parent.
 */
export function checkFile(lines: Iterable<RawLine>, facts: FileFacts): FileHealth {
  const examination = new Examination(facts);
  for (const line of scanLines(lines)) examination.take(line);
  return examination.finish();
}

const dayMs = 86_400_000;

class Examination {
  readonly #facts: FileFacts;
  readonly #seats: Seats;
  readonly #faults = new Map<Fault, { readonly count: number; readonly line: number }>();
  readonly #replaced = new Map<number, readonly string[]>();
  readonly #added = new Map<number, string[]>();
  /** The entries of the rows of the store, each with the row that it follows. */
  readonly #stored: ReadonlyMap<string, string | undefined>;
  readonly #queued = new Set<string>();
  /** The entries of which one is the last row of the store: a prompt that was queued has a row or not. */
  readonly #lastEntries: ReadonlySet<string>;
  /** The texts of their rows. */
  readonly #lastTexts = new Map<string, string>();
  #leftOut = 0;
  #restored = 0;
  #last = 0;

  constructor(facts: FileFacts) {
    this.#facts = facts;
    const links = facts.rows.filter((row) => entryOf(row) !== "");
    this.#stored = new Map(links.map((row) => [entryOf(row), textOf(row, "parentUuid")]));
    this.#seats = new Seats(facts.agent, this.#stored);
    const lastRow = links.findLastIndex((row) => !isQueued(row));
    this.#lastEntries = new Set(links.slice(Math.max(0, lastRow)).map(entryOf));
  }

  take(scanned: ScannedLine): void {
    const { lines, fault } = scanned;
    const [line = 0] = lines;
    this.#last = lines.at(-1) ?? 0;
    if (fault !== undefined) this.#note(fault, line);
    if (this.#keeps(scanned)) return;
    this.#replaced.set(line, this.#replaced.get(line) ?? []);
    this.#leftOut += 1;
  }

  /** Keeps a line, in another form if need be; tells whether it does. */
  #keeps({ lines: [line = 0, ...others], text, value, fault }: ScannedLine): boolean {
    if (text === undefined) return false;
    const row = toRow(value);
    const isStored = row.family === "chain" && this.#stored.has(entryOf(row.fields));
    // The store has it as it was.
    if (fault === "unreadable-line" && isStored) return false;
    const isRead = fault === undefined || fault === "line-separator";
    if (row.family === "chain" && [row.uuid, entryOf(row.fields)].some((id) => this.#lastEntries.has(id)))
      this.#lastTexts.set(row.uuid, text);
    const isTwice =
      row.family === "chain" ? this.#seats.add(row, { line, isRead }, text) : this.#repeats(row, text);
    for (const other of others) this.#replaced.set(other, []);
    if (isTwice) this.#note("duplicate-row", line);
    else if (fault !== undefined) this.#replaced.set(line, [...(this.#replaced.get(line) ?? []), text]);
    return !isTwice;
  }

  finish(): FileHealth {
    const { all, passed, late } = this.#seats;
    for (const [, { seat }] of passed) this.#note("open-call", seat.line);
    const loads = this.#seats.findLoaded();
    const stored = new StoredRows(this.#seats, this.#facts.rows);
    this.#restore(stored);
    const { added, parents, moved } = mendRows(this.#seats, stored, this.#closeCalls(), this.#last);
    for (const { line, row } of added) this.#add(line, render(row));
    for (const [uuid, { seat, line, text }] of late) {
      const parent = parents.get(uuid);
      const isLost = seat.parent === null ? parent !== undefined : !this.#seats.byUuid.has(seat.parent);
      if (isLost) this.#note("lost-parent", line);
      if (parent !== undefined) this.#relink(line, text, parent);
    }
    if (moved !== undefined && this.#faults.size + this.#restored > 0) this.#moveLast(moved);
    return {
      faults: [...this.#faults].map(([fault, found]) => ({ fault, ...found })),
      replaced: this.#replaced,
      added: this.#added,
      holds: new Set(all.flatMap(({ isRead, entry, uuid }) => (isRead ? [entry, uuid] : []))),
      loads,
      counts: { rows: all.length, leftOut: this.#leftOut, restored: this.#restored },
      deletedAt: new Date(this.#facts.mtime.getTime() + readPeriod(this.#facts.settings) * dayMs),
    };
  }

  /** What was typed while the model worked would be taken for typed twice. */
  #repeats(row: ReturnType<typeof toRow>, text: string): boolean {
    if (row.family !== "state" || row.type !== "queue-operation") return false;
    const known = this.#queued.size;
    return this.#queued.add(text).size === known;
  }

  #note(fault: Fault, line: number): void {
    const { count, line: first } = this.#faults.get(fault) ?? { count: 0, line };
    this.#faults.set(fault, { count: count + 1, line: first });
  }

  /** Lets rows of the store stand for torn ones, and counts what only the store has. */
  #restore(stored: StoredRows): void {
    for (const { seat, row, uuid } of stored.all) {
      if (seat === undefined) {
        this.#restored += 1;
        for (const { tool_use_id: call } of blocksOf(objectOf(row, "message").content))
          this.#seats.answer(String(call));
      } else if (row.uuid === uuid && stored.passesOver(seat) && this.#isOther(seat, row)) {
        this.#restored += 1;
        this.#swap(seat, { ...row, parentUuid: stored.parentOf(uuid) ?? null });
      }
    }
  }

  #isOther(seat: Seat, row: JsonObject): boolean {
    const text = this.#seats.late.get(seat.uuid)?.text;
    return text !== undefined && saidIn(JSON.parse(text)) !== saidIn(row);
  }

  #swap(seat: Seat, value: JsonObject): void {
    const [row, text] = [toRow(value), render(value)];
    if (row.family !== "chain") return;
    this.#seats.swap(seat, row, text);
    this.#replaced.set(seat.line, [text]);
  }

  /** Returns an error for each call that the client would drop, as its result, behind the row of the call. */
  #closeCalls(): ReadonlyMap<string, readonly JsonObject[]> {
    const closings = new Map<string, readonly JsonObject[]>();
    // Behind one at the end may stand now what the store has brought back.
    const { open, passed } = this.#seats;
    for (const [call, { seat, text }] of this.#restored > 0 ? open : passed) {
      const { sessionId, timestamp, isSidechain, agentId, cwd, version, gitBranch } = JSON.parse(text);
      const uuid = toUuid(`${seat.uuid} ${call}`);
      const block = { type: "tool_result", tool_use_id: call, content: noResult, is_error: true };
      const row = {
        ...{ parentUuid: seat.uuid, isSidechain, agentId, ...userRow([block]), toolUseResult: noResult },
        ...{ sourceToolAssistantUUID: seat.uuid, uuid, timestamp, userType: "external", entrypoint: "cli" },
        ...{ cwd, sessionId, version, gitBranch },
        // As a copy of the call it is no news when the file is read.
        forkedFrom: { sessionId: this.#facts.session, messageUuid: seat.entry },
      };
      closings.set(seat.uuid, [...(closings.get(seat.uuid) ?? []), row]);
    }
    return closings;
  }

  #add(line: number, text: string): void {
    const added = this.#added.get(line) ?? [];
    added.push(text);
    this.#added.set(line, added);
  }

  /** The client goes on from the last row. */
  #moveLast(seat: Seat): void {
    const text = this.#lastTexts.get(seat.uuid);
    const texts = this.#replaced.get(seat.line) ?? (text === undefined ? undefined : [text]);
    // It stays where it is rather than get lost.
    if (texts === undefined) return;
    const isMoved = (text: string) => textOf(JSON.parse(text), "uuid") === seat.uuid;
    this.#replaced.set(
      seat.line,
      texts.filter((text) => !isMoved(text)),
    );
    for (const text of texts.filter(isMoved)) this.#add(this.#last, text);
  }

  #relink(line: number, text: string, parentUuid: string | null): void {
    const row = render({ ...JSON.parse(text), parentUuid });
    // It may have come twice, once with a damaged parent.
    const rows = this.#seats.has(row) ? [] : [row];
    const swap = (each: string) => (each === text ? rows : [each]);
    this.#replaced.set(line, (this.#replaced.get(line) ?? [text]).flatMap(swap));
  }
}

/** Returns what is recorded of a row; of a message without what the client shows beside it. */
function saidIn(value: JsonObject): string {
  const row = toRow(value);
  const content = row.family === "chain" ? readContent(row) : undefined;
  if (content?.kind !== "message") return JSON.stringify(content ?? null);
  return JSON.stringify(content.parts.filter(({ type }) => type !== "other"));
}

function render(row: JsonObject): string {
  return escapeSeparators(JSON.stringify(row));
}

/** Returns after how many days without a change the client deletes a transcript; what it would not take counts as not set. */
function readPeriod(settings = "{}"): number {
  const value = parseIfJson(settings);
  const days = isJsonObject(value) ? value.cleanupPeriodDays : undefined;
  return typeof days === "number" && Number.isInteger(days) && days > 0 ? days : 30;
}
