import { parseIfJson } from "../../lib/json.ts";
import type { RawLine } from "../../lib/line-splitter.ts";
import type { JsonObject } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import type { Fault, FileFacts, FileHealth } from "../client.ts";
import { isQueuedEntry } from "./prompt-queue.ts";
import { userRow } from "./row-content.ts";
import { toUuid } from "./row-ids.ts";
import { escapeSeparators, type ScannedLine, scanLines } from "./scan-lines.ts";
import { entryOf, type OpenSeat, type Seat, Seats } from "./seats.ts";
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

type Place = Pick<Seat, "uuid" | "line">;

const dayMs = 86_400_000;

class Examination {
  readonly #facts: FileFacts;
  readonly #seats: Seats;
  readonly #faults = new Map<Fault, { readonly count: number; readonly line: number }>();
  readonly #replaced = new Map<number, readonly string[]>();
  readonly #added = new Map<number, string[]>();
  readonly #stored: ReadonlySet<string>;
  /** The row in the mended file for each row that the store would write. */
  readonly #places = new Map<string, Place>();
  /** The parents of entries, as the store knows them. */
  readonly #parents = new Map<string, string>();
  readonly #queued = new Set<string>();
  #leftOut = 0;
  #restored = 0;
  #last = 0;

  constructor(facts: FileFacts) {
    this.#facts = facts;
    this.#seats = new Seats(facts.agent);
    this.#stored = new Set(facts.rows.map(entryOf));
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
    this.#restore();
    const closings = this.#closeCalls();
    for (const open of late) this.#relink(open, closings);
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

  /** Adds the rows of the store whose entries the file lacks, each behind its parent, else behind the row before it. */
  #restore(): void {
    const { all } = this.#seats;
    // A copy stands for its original only where the store has that; the first row of several counts.
    const copies = all.toReversed().map((seat) => [seat.entry, seat] as const);
    const held = new Map([...copies, ...all.map((seat) => [seat.uuid, seat] as const)]);
    let before = 0;
    for (const row of this.#facts.rows) {
      const entry = entryOf(row);
      // What is no link of the talk is of use only where nothing is left.
      if (entry === "" && held.size > 0) continue;
      const seat = held.get(entry);
      // What was typed while the model worked was never a row of the file.
      const isRow = held.size === 0 || !isQueuedEntry({ id: entry as EntryId });
      const place = this.#placeStored(row, { seat, before, isRow });
      this.#places.set(textOf(row, "uuid") ?? " ", place);
      before = place.line;
    }
    this.#handOn();
  }

  /** Finds the place of a row that the store would write, or brings it back; of what is no row it is that of its parent. */
  #placeStored(
    row: JsonObject,
    {
      seat,
      before,
      isRow,
    }: { readonly seat: Seat | undefined; readonly before: number; readonly isRow: boolean },
  ): Place {
    const [entry, found] = [entryOf(row), this.#places.get(textOf(row, "parentUuid") ?? "")];
    // Nothing can follow a prompt that was never a row, where no row stands before it.
    const parent = found?.uuid === "" ? undefined : found;
    if (parent !== undefined && parent.uuid !== seat?.uuid && !this.#parents.has(entry))
      this.#parents.set(entry, parent.uuid);
    if (seat !== undefined) return this.#placeOf(this.#whole(seat, row, parent));
    return isRow ? this.#bringBack(row, parent, before) : (parent ?? { uuid: "", line: before });
  }

  /** Climbs over rows that the store passed over to one that it has. */
  #climb(parent: string | null) {
    const { byUuid } = this.#seats;
    const over = new Set<Seat>();
    let to = byUuid.get(parent ?? "");
    for (; to !== undefined && !this.#stored.has(to.entry); to = byUuid.get(to.parent ?? "")) {
      if (over.has(to)) return { over, to: undefined };
      over.add(to);
    }
    return { over, to };
  }

  /** The head of a lost row with the tail of a later one may be a row; it passes over what the store brings back, and its own stands for it. */
  #whole(seat: Seat, stored: JsonObject, parent: Place | undefined): Seat {
    if (parent === undefined || this.#seats.byUuid.has(parent.uuid)) return seat;
    if (this.#climb(seat.parent).to === undefined) return seat;
    const text = escapeSeparators(JSON.stringify({ ...stored, parentUuid: parent.uuid }));
    const row = toRow(JSON.parse(text));
    if (row.family !== "chain") return seat;
    this.#seats.swap(seat, row, text);
    this.#replaced.set(seat.line, [text]);
    this.#restored += 1;
    return seat;
  }

  /** A row that the store passed over follows what its first descendant follows there. */
  #handOn(): void {
    for (const { entry, parent } of this.#seats.all) {
      const stored = this.#parents.get(entry);
      if (stored === undefined || !this.#stored.has(entry)) continue;
      const { at = -1 } = this.#seats.byUuid.get(stored) ?? {};
      // Nothing follows a row that stands behind it.
      for (const seat of this.#climb(parent).over)
        if (seat.at > at && !this.#parents.has(seat.entry)) this.#parents.set(seat.entry, stored);
    }
  }

  /** What follows a row stands right before the next one, behind what the client noted between them. */
  #placeOf({ at, uuid }: Seat): Place {
    const { all, byUuid } = this.#seats;
    const isNote = ({ isSaid, parent }: Seat) => !isSaid && byUuid.has(parent ?? "");
    let next = all[at + 1];
    while (next !== undefined && isNote(next)) next = all[next.at + 1];
    return { uuid, line: next === undefined ? this.#last : next.line - 1 };
  }

  #bringBack(row: JsonObject, parent: Place | undefined, before: number): Place {
    const uuid = textOf(row, "uuid");
    const line = parent?.line ?? before;
    this.#restored += 1;
    this.#add(line, uuid === undefined ? row : { ...row, parentUuid: parent?.uuid ?? null });
    for (const block of blocksOf(objectOf(row, "message").content))
      this.#seats.answer(textOf(block, "tool_use_id") ?? "");
    return { uuid: uuid ?? "", line };
  }

  #add(line: number, row: JsonObject): void {
    const added = this.#added.get(line) ?? [];
    added.push(escapeSeparators(JSON.stringify(row)));
    this.#added.set(line, added);
  }

  /** Gives calls that the client would drop an error as their result; returns the last one behind each row. */
  #closeCalls(): ReadonlyMap<string, string> {
    const closings = new Map<string, string>();
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
      // The client goes on from the last row, which must not be this one.
      this.#added.set(seat.line, [
        escapeSeparators(JSON.stringify(row)),
        ...(this.#added.get(seat.line) ?? []),
      ]);
      closings.set(seat.uuid, uuid);
    }
    return closings;
  }

  /** Lets a row follow the one that the store knows as its parent, else the one before it. */
  #relink({ seat, text }: OpenSeat, closings: ReadonlyMap<string, string>): void {
    const before = this.#seats.before(seat);
    const stored = this.#parents.get(seat.entry) ?? this.#parents.get(seat.uuid);
    if (!this.#isLost(seat, before ?? stored)) return;
    this.#note("lost-parent", seat.line);
    // It is among those that the store has brought back.
    if (this.#places.has(seat.parent ?? "")) return;
    const nearest = before && (closings.get(before.uuid) ?? before.uuid);
    const row = escapeSeparators(
      JSON.stringify({ ...JSON.parse(text), parentUuid: stored ?? nearest ?? null }),
    );
    const swap = (each: string) => (each === text ? row : each);
    this.#replaced.set(seat.line, (this.#replaced.get(seat.line) ?? [text]).map(swap));
  }

  /** An answer or a result follows something, and so does what the store has behind something. */
  #isLost({ parent, message, results, entry }: Seat, before: Seat | string | undefined): boolean {
    if (parent !== null) return !this.#seats.byUuid.has(parent);
    const mustFollow = message !== undefined || results.length > 0 || this.#parents.has(entry);
    return before !== undefined && mustFollow;
  }
}

/** Returns after how many days without a change the client deletes a transcript; what it would not take counts as not set. */
function readPeriod(settings = "{}"): number {
  const value = parseIfJson(settings);
  const days = isJsonObject(value) ? value.cleanupPeriodDays : undefined;
  return typeof days === "number" && Number.isInteger(days) && days > 0 ? days : 30;
}
