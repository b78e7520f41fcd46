import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { makeSlug } from "../../../src/clients/claude-code/locate.ts";
import { quickHash } from "../../../src/lib/quick-hash.ts";
import { chainHash, chainStart, type Link, sha256 } from "../../../src/sessions/chain.ts";
import { launcher } from "../test-context.ts";
import { type Manifest, machineName } from "./manifest.ts";

type Replace = (text: string) => string;

/**
 * Changes an unpacked fixture as if it had been recorded in this folder, on this machine, by a program in the place of
 * today's: an upgrade replaces the program where it is.
 *
 * The entries of sessions stay as recorded, because their hashes cover them. So do the backup and the exports.
 */
export async function relocate(folder: string, recorded: Manifest): Promise<void> {
  const replace: Replace = (text) =>
    text
      .replaceAll(recorded.launcher, launcher)
      .replaceAll(recorded.node, process.execPath)
      .replaceAll(recorded.folder, folder)
      .replaceAll(makeSlug(recorded.folder), makeSlug(folder))
      .replaceAll(machineName, hostname());
  const hashes = new Map<string, string>();
  for (const path of await listFiles(folder)) {
    const text = await readFile(path, "utf8");
    const replaced = path.endsWith(".jsonl") ? replaceFolders(text, replace) : replace(text);
    if (replaced === text) continue;
    hashes.set(sha256(text), sha256(replaced));
    await writeFile(path, replaced);
  }
  const installs = join(folder, "home/installs.json");
  const written = await readFile(installs, "utf8");
  await writeFile(
    installs,
    written.replaceAll(/[0-9a-f]{64}/g, (hash) => hashes.get(hash) ?? hash),
  );
  await renameFiles(folder, recorded);
  relocateStore(join(folder, "home/store.db"), replace);
}

/** Lists the text files that may contain paths. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return paths.filter(
    (path) => !/^kept\/|^work\/\.git\/(?!requirements)|\.(?:db|cjs)$|\/key$/.test(relative(folder, path)),
  );
}

/** Replaces only the folder of each row: the rest of a transcript is in entries, which stay as recorded. */
function replaceFolders(transcript: string, replace: Replace): string {
  return transcript.replaceAll(/"cwd":"[^"]*"/g, replace);
}

/** Renames the files and folders whose names are made from a path. */
async function renameFiles(folder: string, recorded: Manifest): Promise<void> {
  const projects = join(folder, ".claude/projects");
  await rename(
    join(projects, makeSlug(join(recorded.folder, "work"))),
    join(projects, makeSlug(join(folder, "work"))),
  );
  const held = `${quickHash(join(recorded.folder, "work"))}.json`;
  const rules = (await listFiles(join(folder, "home/gates"))).filter((path) => basename(path) === held);
  if (rules.length === 0) throw new Error(`No session is held to the rules in ${held}.`);
  for (const path of rules)
    await rename(path, join(dirname(path), `${quickHash(join(folder, "work"))}.json`));
}

/** Changes every text column of the store but those of entries. */
function relocateStore(path: string, replace: Replace): void {
  using store = new DatabaseSync(path);
  store.function("relocated", (text) => (typeof text === "string" ? replace(text) : text));
  store.function("relocated_state", (state) =>
    state instanceof Uint8Array
      ? zstdCompressSync(replace(zstdDecompressSync(state).toString("utf8")))
      : state,
  );
  const columns = store
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.type = 'TEXT' AND t.name NOT IN ('body', 'entry')`,
    )
    .all();
  store.exec("BEGIN");
  for (const { table, column } of columns) store.exec(`UPDATE ${table} SET ${column} = relocated(${column})`);
  store.exec("UPDATE ingestion SET state = relocated_state(state)");
  relocateRecords(store, replace);
  store.exec("COMMIT");
}

/**
 * Rewrites the entries of Carryon's own records, with their hashes: they name the folder that a checkpoint belongs to, and
 * a checkpoint of another folder does not count.
 */
function relocateRecords(store: DatabaseSync, replace: Replace): void {
  const records = store.prepare(
    `SELECT e.*, b.json FROM entry e JOIN session s ON s.key = e.session_key JOIN body b ON b.key = e.body_key
     WHERE s.client = 'carryon-handover' ORDER BY e.session_key, e.seq`,
  );
  const toBody = store.prepare("UPDATE body SET json = ?, hash = unhex(?) WHERE key = ?");
  const toEntry = store.prepare("UPDATE entry SET hash = unhex(?) WHERE session_key = ? AND seq = ?");
  const toHead = store.prepare("UPDATE session_head SET head_hash = unhex(?) WHERE session_key = ?");
  let before = chainStart;
  for (const row of records.all()) {
    const { session_key: session = null, seq = null, body_key: body = null } = row;
    const json = replace(String(row.json));
    const { id, parent, strand, kind, at_ms: atMs } = row as unknown as Link & { readonly at_ms: number };
    if (seq === 1) before = chainStart;
    before = chainHash(before, { id, parent, strand, kind, atMs, bodyHash: sha256(json) });
    toBody.run(json, sha256(json), body);
    toEntry.run(before, session, seq);
    toHead.run(before, session);
  }
}
