import { join } from "node:path";
import { parseIfJson } from "../lib/json.ts";
import type { NewInboxItem } from "./new-inbox-item.ts";

/** Returns the folder where hooks leave what they could not put into the store. */
export function locateSpool(home: string): string {
  return join(home, "spool");
}

/** What ends the name of a file that is complete. */
export const spoolSuffix = ".json";
/** What ends the name of a file that is still being written, or whose writer was killed. */
export const unfinishedSuffix = ".tmp";
/** What ends the name of a file that was found to be no item; it is left for people to look at. */
export const rejectedSuffix = ".rejected";

/** Renders a file of the spool: one item. */
export function renderSpoolFile(item: NewInboxItem): string {
  return `${JSON.stringify({ version: 1, ...item })}\n`;
}

/** Reads a file of the spool; returns why it is none instead of throwing. */
export function parseSpoolFile(text: string): NewInboxItem | { readonly reason: string } {
  const value = parseIfJson(text) as Partial<Record<string, unknown>> | null | undefined;
  if (value === undefined) return { reason: "it is not JSON" };
  if (value?.version !== 1) return { reason: "it is not of version 1" };
  const { receivedMs, client, event, session, payload } = value;
  const isWhole =
    Number.isSafeInteger(receivedMs) &&
    [client, event, session, payload].every((each) => typeof each === "string") &&
    parseIfJson(String(payload)) !== undefined;
  return isWhole
    ? ({ receivedMs, client, event, session, payload } as NewInboxItem)
    : { reason: "it lacks a field" };
}
