import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openInbox } from "../src/storage/open-inbox.ts";
import { inRepository } from "./work-folder.ts";

/** A home folder with a store and the bundled hook in it. */
export interface HookHome {
  readonly home: string;
  readonly hook: string;
  /** A program that does what no hook can do without: it reads its input and commits one row. */
  readonly bare: string;
}

/** Makes a home as `carryon init` does, but that what a hook starts ends at once: it would disturb the measuring. */
export async function makeHookHome(home: string): Promise<HookHome> {
  const bin = join(home, "bin");
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  execFileSync(process.execPath, [inRepository("scripts", "bundle-hook.ts"), bin], { stdio: "inherit" });
  const launcher = join(bin, "nothing.cjs");
  writeFileSync(launcher, "");
  writeFileSync(join(bin, "carryon.json"), JSON.stringify({ node: process.execPath, launcher }));
  await (await openInbox(home))[Symbol.asyncDispose]();
  const bare = join(bin, "bare.cjs");
  writeFileSync(bare, renderBare(join(home, "store.db")));
  return { home, hook: join(bin, "carryon-hook.cjs"), bare };
}

function renderBare(store: string): string {
  return `
process.emitWarning = () => undefined;
const payload = require("node:fs").readFileSync(0, "utf8");
const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
const db = new DatabaseSync(${JSON.stringify(store)}, { timeout: 5000 });
db.exec("PRAGMA synchronous = FULL");
db.prepare("INSERT INTO inbox (received_ms, client, event, session_id, payload) VALUES (?, ?, ?, ?, ?)")
  .run(Date.now(), "claude-code", "Stop", "s", payload);
db.close();
`;
}

/** Returns what Claude Code really sent at an event. */
export function readPayload(name: string): string {
  return readFileSync(
    inRepository("test", "fixtures", "hook-payloads", "claude-code", "2.1.325", `${name}.json`),
    "utf8",
  );
}
