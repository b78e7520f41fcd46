import { hash } from "node:crypto";
import { mainStrand, type Strand } from "../../sessions/ids.ts";

/** What the ids of rows look like. */
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** In a run, the worker does what an agent does in any other session; its instructor is not in the talk. */
export const workerStrand = "worker";

/** Returns in which file a strand is written: that of the session, or a subagent's; undefined for none. */
export function fileOf(strand: Strand): Strand | undefined {
  if (strand === mainStrand || strand === workerStrand) return mainStrand;
  return agentOf(strand) === undefined ? undefined : strand;
}

/** Returns the subagent whose strand it is; undefined for another strand. */
export function agentOf(strand: Strand): string | undefined {
  return strand.startsWith("agent-") ? strand.slice("agent-".length) : undefined;
}

export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}

/** Returns a UUID that the same text gives again. */
export function toUuid(text: string): string {
  const digits = digestOf(text);
  const variant = "89ab"[Number.parseInt(digits[16] ?? "0", 16) % 4];
  const end = `${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${end}`;
}
