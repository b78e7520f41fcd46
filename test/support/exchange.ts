import { type ExportFormat, exportSessions } from "../../src/formats/export-sessions.ts";
import { type Imported, type ImportOptions, importSource } from "../../src/formats/import-source.ts";
import type { ImportSource } from "../../src/formats/source.ts";
import type { TestLog } from "../contract/test-log.ts";
import { collect, later } from "./entries.ts";

/** Exports all sessions of a store, or those that are named, as one text. */
export async function exportAll(
  test: TestLog,
  format: ExportFormat,
  ...ids: readonly string[]
): Promise<string> {
  const { sessions } = await test.log.list({ limit: 500 });
  const chosen = sessions.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const request = { format, sessions: chosen, machine: "laptop", now: later(50) };
  return (await collect(exportSessions(test, request))).join("");
}

/** Makes a source of a text or of bytes, in small chunks. */
export function sourceOf(content: string | Uint8Array): ImportSource {
  const bytes = Buffer.from(content);
  return {
    open: async function* () {
      for (let from = 0; from < bytes.length; from += 4096) yield bytes.subarray(from, from + 4096);
    },
  };
}

/** Imports a text or a source into a store. */
export function importInto(
  test: TestLog,
  content: string | Uint8Array | ImportSource,
  options: Partial<ImportOptions> = {},
): Promise<Imported> {
  const source = typeof content === "object" && "open" in content ? content : sourceOf(content);
  const target = { log: test.log, project: test.project, cwd: "/work", branch: null, machine: "here" };
  return importSource(
    source,
    { replica: test.replica, talkTarget: async () => target },
    { now: later(60), ...options },
  );
}

/** Returns the head of every session of a store. */
export async function headsOf({ log }: TestLog): Promise<Readonly<Record<string, string | null>>> {
  const { sessions } = await log.list({ limit: 500 });
  return Object.fromEntries(sessions.map(({ id, head }) => [id, head]));
}
