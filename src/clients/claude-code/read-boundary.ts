import type { EntryId } from "../../sessions/ids.ts";
import type { KnownRows } from "./known-rows.ts";
import { type ChainRow, objectOf, textOf } from "./wire.ts";

/** Where the client compacted its conversation. */
export interface CompactBoundary {
  readonly replaces: EntryId | null;
  readonly kept: readonly EntryId[];
  /** The rows that were kept, also those of which nothing is recorded. */
  readonly keptRows: readonly string[];
  /** Whether what was kept follows the boundary itself, without a summary. */
  readonly anchored: boolean;
}

/** Reads the row that a compaction begins with, or returns undefined for any other. */
export function readBoundary(row: ChainRow, rows: KnownRows): CompactBoundary | undefined {
  const { type, fields, uuid } = row;
  if (type !== "system" || fields.subtype !== "compact_boundary") return undefined;
  const metadata = objectOf(fields, "compactMetadata");
  const messages = objectOf(metadata, "preservedMessages");
  const segment = objectOf(metadata, "preservedSegment");
  const replaces = rows.entryOf(textOf(fields, "logicalParentUuid") ?? "") ?? null;
  const anchor = textOf(messages, "anchorUuid") ?? textOf(segment, "anchorUuid");
  const { uuids } = messages;
  const keptRows = Array.isArray(uuids)
    ? uuids.filter((each) => typeof each === "string")
    : rows.between(textOf(segment, "headUuid") ?? "", textOf(segment, "tailUuid") ?? "");
  return { replaces, kept: rows.own(keptRows), keptRows, anchored: anchor === uuid };
}
