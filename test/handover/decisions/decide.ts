import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { NewDecision } from "../../../src/handover/decision.ts";
import { appendDecision } from "../../../src/handover/decisions/append-decision.ts";
import type { Watermark } from "../../../src/handover/decisions/watermark.ts";
import { locateHandover, openHandover } from "../../../src/handover/handover-folder.ts";
import type { TempDir } from "../../support/temp-dir.ts";

/** A decision that needs few fields. */
export const start: NewDecision = {
  type: "SESSION_START",
  summary: "a session",
  context: "it begins",
  decision: "go on",
  source: "test",
};
export const clock = { now: () => new Date("2026-11-16T05:00:00Z") };
/** Returns where the handover in a folder is. */
export const place = (dir: TempDir) => ({ root: dir.path, sddDir: ".claude/sdd" });
/** Returns the path of decisions.md in a folder. */
export const pathIn = (dir: TempDir) => locateHandover(place(dir)).decisions;

/** Appends a decision to the handover in a folder. */
export async function decide(dir: TempDir, draft: NewDecision = start, known?: Watermark) {
  await using handover = await openHandover(place(dir));
  return await appendDecision(handover, draft, { clock, known });
}

/** Puts a decisions.md into a folder. */
export async function given(dir: TempDir, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(pathIn(dir)), { recursive: true });
  await writeFile(pathIn(dir), content);
}
