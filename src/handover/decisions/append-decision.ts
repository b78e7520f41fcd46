import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { dirname } from "node:path";
import { isSystemError, unlessGone } from "../../lib/app-error.ts";
import { syncFolder, writeFully } from "../../lib/atomic-file.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { refuseSpecialFile, symlinkRefused, writeFailed } from "../../lib/file-error.ts";
import { unreadable } from "../../lib/markdown/read-document.ts";
import { type Decision, type NewDecision, renderDecision, renderTime, toDecisionText } from "../decision.ts";
import { DocumentRecord, type RecordSite } from "../document-record.ts";
import type { OpenHandover } from "../handover-folder.ts";
import { inspectDecisions } from "./inspect-decisions.ts";
import { parseHead } from "./parse-decisions.ts";
import { readAllDecisions, stampOf } from "./read-decisions.ts";
import { type RecordedDecision, restored } from "./recorded-decisions.ts";
import { digestOf, digestOfBytes, linkOf, type Watermark } from "./watermark.ts";

/**
 * Appends those decisions to decisions.md again that were written here and are gone, as the log has them, and returns
 * them. Nothing that is in the document is touched.
 */
export async function restoreDecisions(
  site: RecordSite,
  handover: OpenHandover,
): Promise<readonly RecordedDecision[]> {
  const content = (await readAllDecisions(handover.place)) ?? new Uint8Array();
  const { lost } = await inspectDecisions(site, content);
  const texts = lost.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0) return [];
  const watermark = await appendEntries(handover, texts);
  await new DocumentRecord(site, "decisions.md").add(restored, {
    watermark: { ...watermark },
    root: site.root,
  });
  return lost.filter(({ text }) => text !== undefined);
}

export interface AppendOptions {
  readonly clock?: Clock;
  /** What the last append returned. Without it, or when the file does not fit it, the whole file is read. */
  readonly known?: Watermark | undefined;
  /** The number must be above this one: that of a decision of this project that another file has, or that is gone. */
  readonly above?: number;
  /** Is told of the entry before it is written: who is killed in between has announced one that is not there. */
  readonly announce?: (planned: AppendedDecision) => Promise<void>;
}

/** A decision that is on disk, and what is needed to see later whether it is still there as it was. */
export interface AppendedDecision {
  readonly decision: Decision;
  /** Its lines. */
  readonly raw: string;
  /** The hash of its lines. */
  readonly digest: string;
  readonly watermark: Watermark;
}

/** A decision that was appended, and the stamps of the file. */
interface StampedDecision extends AppendedDecision {
  /** Before it was appended. */
  readonly before: string;
  /** With it at the end; undefined where somebody else has written at the same time. */
  readonly after: string | undefined;
}

const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
const tailSize = 4096;

/**
 * Appends a decision to decisions.md, which is made if it is missing. When it returns, the entry survives a power cut.
 *
 * The file is open for appending only, so nothing that is in it can be changed. The number is the highest in the file
 * and one; a line that a killed writer left without its end gets one first. Costs what was added since `known`.
 */
export async function appendDecision(
  handover: OpenHandover,
  draft: NewDecision,
  options: AppendOptions = {},
): Promise<StampedDecision> {
  const text = toDecisionText(draft);
  const { announce, above = 0 } = options;
  let appended: AppendedDecision | undefined;
  const written = await append(handover, options.known, {
    render: (highest) => {
      const at = renderTime((options.clock ?? systemClock).now());
      const decision = { ...text, at, type: draft.type, seq: Math.max(highest, above) + 1 };
      return { decision, raw: renderDecision(decision), highest: decision.seq };
    },
    announce: async ({ decision, raw }, planned) => {
      appended = { decision, raw, digest: digestOf(raw), watermark: planned };
      await announce?.(appended);
    },
  });
  if (appended === undefined) throw new Error("An entry was written that nobody announced.");
  return { ...appended, ...written };
}

/** Appends entries as they were, with the numbers that they have, and returns what the file is then. */
async function appendEntries(handover: OpenHandover, raws: readonly string[]): Promise<Watermark> {
  const numbers = raws.map((raw) => parseHead(raw)?.seq ?? 0);
  const { watermark } = await append(handover, undefined, {
    render: (highest) => ({ raw: raws.join("\n\n"), highest: Math.max(highest, ...numbers) }),
    announce: async () => undefined,
  });
  return watermark;
}

type Written = Pick<StampedDecision, "watermark" | "before" | "after">;

/** What is to be appended, and the highest number that the file has then. */
interface Rendered {
  readonly raw: string;
  readonly highest: number;
}

interface Addition<Text extends Rendered> {
  readonly render: (highest: number) => Text;
  readonly announce: (text: Text, planned: Watermark) => Promise<void>;
}

async function append<Text extends Rendered>(
  { decisions: path }: OpenHandover,
  known: Watermark | undefined,
  addition: Addition<Text>,
): Promise<Written> {
  try {
    const stats = await unlessGone(lstat(path));
    if (stats !== undefined) refuseSpecialFile(path, stats);
    const handle = await open(path, appending, 0o600);
    return await add(handle, path, known, addition).finally(() => handle.close());
  } catch (error) {
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : writeFailed(path, error);
  }
}

async function add<Text extends Rendered>(
  handle: FileHandle,
  path: string,
  known: Watermark | undefined,
  { render, announce }: Addition<Text>,
): Promise<Written> {
  const before = await stampOf(handle);
  const { size } = await handle.stat();
  // Before the first entry, so that a file with content is known to have a durable name, whoever made it.
  if (size === 0) await syncFolder(dirname(path));
  const start = await chooseStart(handle, size, known);
  const added = await readBefore(handle, size, size - start.size);
  const scan = scanDecisions(path, added);
  const text = render(Math.max(start.highest, scan.highest));
  const lead = await leadFor(handle, size, scan.ending);
  const bytes = Buffer.from(lead + `${text.raw}\n`.replaceAll("\n", scan.ending));
  const end = Buffer.concat([await readBefore(handle, size, tailSize), bytes]);
  const watermark = {
    from: start.size,
    size: size + bytes.byteLength,
    highest: text.highest,
    chain: linkOf(start.chain, Buffer.concat([added, bytes])),
    tail: digestOfBytes(end.subarray(-tailSize)),
  };
  await announce(text, watermark);
  await writeFully(handle, bytes);
  await handle.sync();
  const isAlone = (await handle.stat()).size === watermark.size;
  return { watermark, before, after: isAlone ? await stampOf(handle) : undefined };
}

type Start = Pick<Watermark, "size" | "highest" | "chain">;

/** A file whose last known bytes are where they were has most likely not changed before them. */
async function chooseStart(handle: FileHandle, size: number, known: Watermark | undefined): Promise<Start> {
  const fits =
    known !== undefined && known.size <= size && known.tail === (await readTail(handle, known.size));
  return fits ? known : { size: 0, highest: 0, chain: "" };
}

async function readTail(handle: FileHandle, size: number): Promise<string> {
  return digestOfBytes(await readBefore(handle, size, tailSize));
}

async function readBefore(handle: FileHandle, end: number, most: number): Promise<Uint8Array> {
  const start = Math.max(0, end - most);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}

/** Returns what must stand between the end of the file and the next entry: one blank line. */
async function leadFor(handle: FileHandle, size: number, ending: string): Promise<string> {
  if (size === 0) return "";
  const end = Buffer.from(await readBefore(handle, size, 4)).toString("latin1");
  if (!end.endsWith("\n")) return ending + ending;
  return /(?:^|\n)\r?\n$/.test(end) ? "" : ending;
}

/** What the bytes of a decisions.md tell an append. */
interface Scan {
  readonly highest: number;
  /** How its lines end. */
  readonly ending: string;
}

/** Finds the highest number in some bytes, and how their lines end. Throws when they are no text. */
function scanDecisions(path: string, bytes: Uint8Array): Scan {
  try {
    if (bytes.includes(0)) throw new TypeError("NUL");
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const numbers = text.split(/\r\n|\n|\r/).map((line) => parseHead(line)?.seq ?? 0);
    const highest = numbers.reduce((one, other) => Math.max(one, other), 0);
    return { highest, ending: text.includes("\r\n") ? "\r\n" : "\n" };
  } catch (cause) {
    throw unreadable(path, "it is binary, or not UTF-8", cause);
  }
}
