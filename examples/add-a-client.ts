import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { type Client, type Entry, openProject, parseSessionId, registerClient } from "../src/index.ts";

/** A client that keeps each session as lines `{"id", "role", "text"}`, in a file that is called as the session is. */
const notebook: Client = {
  name: "notebook",
  title: "Notebook",
  settings: "settings.json",
  represents: {
    ...{ prompt: "kept", answer: "kept", summary: "changed", title: "left out", subagent: "left out" },
    ...{ call: "left out", result: "left out", thinking: "left out", image: "left out", file: "left out" },
    ...{ checkpoint: "left out", round: "left out" },
  },
  ids: { pattern: /^page-\d+$/, make: (now) => `page-${now.getTime()}` },
  locate: ({ userHome, env }) => env.NOTEBOOK_HOME ?? join(userHome, ".notebook"),
  find: async (folder, id) => {
    const names = existsSync(folder) ? await readdir(folder) : [];
    const pages = names.filter((name) =>
      id === undefined ? name.endsWith(".jsonl") : name === `${id}.jsonl`,
    );
    return pages.map((name) => ({ path: join(folder, name), session: name.slice(0, -6), agent: null }));
  },
  // A row has the id of its entry, so that Carryon sees what the file holds already.
  read: (rows) => ({
    entries: (rows as readonly Row[]).map(({ id, role, text }) => ({
      ...{ kind: "message", id, role, at: new Date(0) },
      parts: [{ type: "text", text }],
    })),
    originals: new Map(),
  }),
  // The notebook never deletes a page; a line that is no row is named, and left out of a mended page.
  check: (lines) => {
    const read = [...lines].map((line) => ({ line: line.number, row: parseRow(line.bytes) }));
    const bad = read.flatMap(({ line, row }) => (row === undefined ? [line] : []));
    const ids = new Set(read.flatMap(({ row }) => row?.id ?? []));
    const [first] = bad;
    return {
      faults: first === undefined ? [] : [{ fault: "unreadable-line", count: bad.length, line: first }],
      replaced: new Map(bad.map((line) => [line, []])),
      added: new Map(),
      ...{ holds: ids, loads: ids, counts: { rows: ids.size, leftOut: bad.length, restored: 0 } },
    };
  },
  write: (entries, { id }) => {
    const rows = [...entries].flatMap(toRows);
    return {
      files: [{ path: `${id}.jsonl`, agent: null, rows: rows.map((row) => ({ ...row })) }],
      context: rows.map((row) => row.id),
      fidelity: { kept: { message: rows.length }, changed: {}, leftOut: {} },
    };
  },
  hooks: (settings) => settings,
  launch: (id) => ({ program: "notebook", args: ["--open", id], env: {} }),
  processes: async () => undefined,
};

type Row = Pick<Entry, "id"> & { readonly role: "user" | "assistant"; readonly text: string };

function parseRow(bytes: Uint8Array | undefined): Row | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toRows(entry: Entry): readonly Row[] {
  if (entry.kind !== "message" || entry.role === "tool") return [];
  const text = entry.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return text === "" ? [] : [{ id: entry.id, role: entry.role, text }];
}

/** Lets a session that any client recorded go on in the notebook. */
export async function resumeInNotebook(cwd: string, home: string, id: string): Promise<void> {
  registerClient(notebook);
  const project = await openProject({ cwd, home }, "write");
  const [session] = (await project.store.log.list({ id: parseSessionId(id) })).sessions;
  if (session !== undefined) {
    const author = {
      env: { NOTEBOOK_HOME: join(home, "notebook") },
      userHome: homedir(),
      machine: hostname(),
    };
    const plan = await project.resume(author, session, "notebook");
    console.log(plan.gift?.native.fidelity.kept ?? "The notebook has all of it.");
    // A file that is there is never changed; the second time there is nothing to write.
    await plan.write();
    console.log(plan.command.program, plan.command.args[0]);
  }
  await project.store[Symbol.asyncDispose]();
}
