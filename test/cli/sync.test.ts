import { appendFile, mkdir, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";
import { putSeen } from "../support/client-folder.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const session = "11111111-1111-4111-8111-111111111111";

/** Writes a recorded transcript to where Claude Code would have, as if it had worked in the current folder. */
async function record({ folder }: Carryon, config = ".claude"): Promise<string> {
  const path = join(folder, config, "projects", "-work", `${session}.jsonl`);
  const text = await readFile("test/fixtures/claude-code/2.1.325/titled.jsonl", "utf8");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text.replaceAll("/home/me/my_proj.v2", join(folder, "work")));
  // Open, whatever day it is: the process that the client names is there.
  await mkdir(join(folder, config, "sessions"));
  const listed = JSON.stringify({ pid: process.pid, sessionId: session });
  await writeFile(join(folder, config, "sessions", `${process.pid}.json`), listed);
  return path;
}

describe("reading where hooks are installed", () => {
  it("takes in what began since, though no hook told of it, and nothing from before or from beside", async () => {
    await using carryon = await openCarryon();
    const write = async (folder: string, id: string) => {
      const cwd = await realpath(join(carryon.folder, folder));
      const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${id}.jsonl`);
      await mkdir(dirname(path), { recursive: true });
      const row = { type: "user", uuid: `u-${id}`, parentUuid: null, sessionId: id, cwd };
      const message = { role: "user", content: `asked in ${id}` };
      await writeFile(path, `${JSON.stringify({ ...row, message, timestamp: new Date().toISOString() })}\n`);
    };
    const [before, since, beside] = ["1", "2", "3"].map((n) => `${n.repeat(8)}-1111-4111-8111-111111111111`);
    await mkdir(join(carryon.folder, "work-2"));
    await write("work", before ?? "");
    expect(await carryon.call(["init", "--yes", "--no-import"])).toMatchObject({ code: 0 });
    expect(await carryon.call(["sessions"])).toMatchObject({
      stderr:
        "No sessions. Start `claude` here: it is recorded, `carryon import claude-code` takes in what it has kept, `carryon chat` talks to a model, `carryon append` records any tool.\n`carryon sessions --all` lists those of all projects, `carryon relink OLD_PATH` brings them here if this folder has moved.\n",
    });
    await write("work", since ?? "");
    await write("work-2", beside ?? "");
    const { sessions } = JSON.parse(await carryon.ask(["sessions", "--all", "--json"]));
    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([since]);
  });
});

describe("carryon sync", () => {
  it("takes in what is new and says how much", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon);
    expect(await carryon.call(["sync"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "1 transcript, 1 with something to read: 11 new entries, 1 new session.
      ",
      }
    `);
    await appendFile(path, "{broken}\n");
    expect(await carryon.call(["sync"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Line left out: <folder>/.claude/projects/-work/11111111-1111-4111-8111-111111111111.jsonl:37: not valid JSON
      ",
        "stdout": "1 transcript, 1 with something to read: 0 new entries, 0 new sessions.
      ",
      }
    `);
    expect(await carryon.call(["sync"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Nothing new in 1 transcript.
      ",
      }
    `);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"]))).toMatchObject({
      sessions: [{ id: session, client: "claude-code", status: "open", title: "demo", messages: 10 }],
    });
  });

  it("names what could not be read, once, and takes in the others", async () => {
    await using carryon = await openCarryon();
    await record(carryon);
    const broken = join(carryon.folder, ".claude", "projects", "-broken");
    await symlink(broken, broken);
    const { code, stdout, stderr } = await carryon.call(["sync"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^1 transcript, 1 with something to read/)]);
    expect(stderr).toMatch(
      /^Not taken in: <folder>\/\.claude\/projects\/-broken could not be read: ELOOP[^\n]*\n$/,
    );
  });

  it("says which documents it wrote, and which it could not write", async () => {
    await using carryon = await openCarryon();
    const work = await realpath(join(carryon.folder, "work"));
    const tell = (event: string, payload: object) =>
      putSeen(join(carryon.folder, "home"), {
        ...{ session, at: new Date("2999-01-01"), event, payload: { cwd: work, ...payload } },
      });
    await tell("UserPromptExpansion", { command_name: "sdd-design", command_args: "login" });
    await tell("SubagentStop", { agent_type: "b", last_assistant_message: "[PATTERN] a: b" });
    await tell("Stop", {});
    const documents = "<folder>/work/.claude/sdd/handover";
    expect(await carryon.call(["sync"])).toEqual({
      ...{ code: 0, stderr: "" },
      stdout: [
        "No transcripts of Claude Code were found.",
        `Drafted: ${documents}/session.md (session ${session}, command-completed)`,
        `Noted: ${documents}/buffer.md, 1 note of session ${session}`,
        "",
      ].join("\n"),
    });
    await writeFile(join(work, ".claude/sdd/handover/buffer.md"), "<<<<<<< a\n=======\n>>>>>>> b\n");
    await tell("SubagentStop", { agent_type: "b", last_assistant_message: "[PATTERN] a: c" });
    const reason = "A git merge left its marks in the document, in lines 1, 2, 3.";
    expect(await carryon.call(["sync"])).toMatchObject({
      ...{ code: 0, stderr: `Not written: ${documents}/buffer.md: ${reason}\n` },
    });
    expect((await carryon.call(["doctor"])).stdout).toContain("buffer.md: A git merge left its marks");
  });

  it("says the same in JSON", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon);
    await appendFile(path, "{broken}\n");
    expect(JSON.parse(await carryon.ask(["sync", "--json"]))).toEqual({
      ...{
        transcripts: 1,
        changed: 1,
        leftOut: 0,
        sessions: 1,
        forks: 0,
        added: 11,
        known: 0,
        items: 0,
        deleted: [],
      },
      ...{ rejected: [{ path, line: 37, reason: expect.any(String) }] },
      ...{
        revised: [],
        orphans: [],
        failed: [],
        unknown: {},
        drafted: [],
        noted: [],
        flushed: [],
        unwritten: [],
      },
    });
  });

  it("uses the store of this machine even where another is chosen, and says so", async () => {
    await using carryon = await openCarryon();
    await record(carryon);
    const env = { CARRYON_STORE: "postgres://nobody@127.0.0.1:1/nothing" };
    const said = "Claude Code is recorded in the store of this machine, not in 127.0.0.1:1/nothing.";
    const stderr = expect.stringContaining(said);
    expect(await carryon.call(["sync"], { env })).toMatchObject({ code: 0, stderr });
    expect(await carryon.call(["sync", "--quiet"], { env })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await carryon.call(["init", "--dry-run"], { env })).toMatchObject({ code: 0, stderr });
    expect(JSON.parse(await carryon.ask(["sessions", "--json"]))).toMatchObject({
      sessions: [{ id: session }],
    });
  });
});

describe("a command that reads", () => {
  const readSessions = async (carryon: Carryon) => carryon.call(["sessions", "--json"]);
  const install = async ({ folder }: Carryon) => {
    await mkdir(join(folder, "home", "bin"), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, "home", "bin", "carryon.json"), "{}");
  };

  it("takes in first what is new in this project, where hooks are installed", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon);
    const slug = makeSlug(await realpath(join(carryon.folder, "work")));
    const moved = join(dirname(dirname(path)), slug);
    await rename(dirname(path), moved);
    await install(carryon);
    // Nobody asked for what was there before: neither by a hook nor by an import.
    expect(JSON.parse((await readSessions(carryon)).stdout)).toMatchObject({ sessions: [] });
    await carryon.call(["import", "claude-code"]);
    const row = { type: "user", uuid: "a-new-row", parentUuid: null, sessionId: session };
    const said = { ...row, message: { role: "user", content: "One more thing" } };
    await appendFile(join(moved, `${session}.jsonl`), `${JSON.stringify(said)}\n`);
    const { code, stdout, stderr } = await readSessions(carryon);
    expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, "", { sessions: [{ id: session }] }]);
    expect((await carryon.call(["show", session])).stdout).toContain("One more thing");
  });

  it("says in a line what could not be taken in, and does what it was asked for", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    await install(carryon);
    await mkdir(join(carryon.folder, ".claude"));
    await writeFile(join(carryon.folder, "home", "spool"), "");
    const { code, stdout, stderr } = await readSessions(carryon);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ title: "hello" }] });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^What is new in Claude Code was not taken in: .*\n$/),
    ]);
  });

  it("does not wait long for another sync", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    await install(carryon);
    await using _lock = await acquireLock(join(carryon.folder, "home", "sync"));
    const { code, stderr } = await readSessions(carryon);
    expect([code, stderr]).toEqual([0, ""]);
  });
});

describe("a session that was deleted and goes on in Claude Code", () => {
  it("is told of by sync and by doctor, in a line", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon);
    await carryon.ask(["sync"]);
    await carryon.ask(["delete", session, "--yes"]);
    expect((await carryon.call(["doctor"])).stdout).not.toContain("Left out");
    const row = { type: "user", uuid: "a-new-row", parentUuid: null, timestamp: "2999-01-01T00:00:00.000Z" };
    await appendFile(path, `${JSON.stringify({ ...row, message: { content: "One more thing" } })}\n`);
    const line = `Left out: 1 entry of 1 session that you deleted and that went on in Claude Code: ${session}\n`;
    const { code, stdout, stderr } = await carryon.call(["sync"]);
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 0, stderr: line },
      stdout: "Nothing to take in. Not asked for, or deleted: 1 session.\n",
    });
    expect((await carryon.call(["doctor"])).stdout).toContain(line);
    const deleted = [{ session, entries: 1 }];
    for (const command of ["sync", "doctor"])
      expect(JSON.parse(await carryon.ask([command, "--json"]))).toMatchObject({ deleted });
  });
});

describe("carryon import claude-code", () => {
  it("takes in the sessions of one project, from the folder that the client is told", async () => {
    const config = "elsewhere";
    await using carryon = await openCarryon();
    await record(carryon, config);
    const env = { CLAUDE_CONFIG_DIR: join(carryon.folder, config) };
    const run = (...args: readonly string[]) => carryon.call(["import", "claude-code", ...args], { env });
    expect(await run("--project", "..")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Nothing to take in. Not asked for, or deleted: 1 session.
      ",
      }
    `);
    expect(await run("--project", ".", "--since", "30d")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "1 transcript, 1 with something to read: 11 new entries, 1 new session.
      ",
      }
    `);
  });

  it("refuses a folder that is not there and that nobody knows, and remembers nothing of it", async () => {
    await using carryon = await openCarryon();
    await record(carryon);
    const run = (folder: string) => carryon.call(["import", "claude-code", "--project", folder]);
    expect(await run("nosuch")).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder>/work/nosuch is not there, and nothing was recorded in it.
        Give a folder of the project, such as \`.\`
      ",
        "stdout": "",
      }
    `);
    expect(await run(`../.claude/sessions/${process.pid}.json`)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("is not a folder") },
    });
    expect(await run("nosuch")).toMatchObject({ code: 2 });
  });

  it("takes in what the client has kept of a folder that is gone, before and after it is known", async () => {
    await using carryon = await openCarryon();
    const gone = join(carryon.folder, "gone");
    await mkdir(gone);
    const text = await readFile(await record(carryon), "utf8");
    const path = join(
      carryon.folder,
      ".claude",
      "projects",
      makeSlug(await realpath(gone)),
      `${session}.jsonl`,
    );
    await mkdir(dirname(path));
    await writeFile(path, text.replaceAll(join(carryon.folder, "work"), await realpath(gone)));
    await rm(gone, { recursive: true });
    const run = () => carryon.call(["import", "claude-code", "--project", "../gone"]);
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining("1 new session") });
    await rm(dirname(path), { recursive: true });
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing to take in.") });
  });

  it("refuses a client that it cannot read", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["import", "notepad"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder>/work/notepad does not exist.
        Name a file or a folder; of clients, the history of claude-code can be read.
      ",
        "stdout": "",
      }
    `);
  });
});
