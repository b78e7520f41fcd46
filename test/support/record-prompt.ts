import { mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import type { Carryon } from "./run-carryon.ts";

/** Writes a transcript of one prompt as Claude Code does in a folder, the current one unless told, and takes it in. */
export async function recordPrompt(
  carryon: Carryon,
  session: string,
  text: string,
  cwd?: string,
  more: object = {},
): Promise<string> {
  const folder = await realpath(cwd ?? join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(folder), `${session}.jsonl`);
  const row = {
    ...{ type: "user", uuid: `row-${session}`, parentUuid: null, sessionId: session, cwd: folder },
    ...{ timestamp: `2026-11-15T12:0${session[0]}:00.000Z`, message: { role: "user", content: text } },
    ...more,
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(row)}\n`);
  await carryon.ask(["sync"]);
  return path;
}
