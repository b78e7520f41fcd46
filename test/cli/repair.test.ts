import { link, mkdir, readdir, readFile, realpath, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { makeTempName } from "../../src/lib/atomic-file.ts";
import { readOwnIdentity } from "../../src/lib/process-identity.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import type { JsonObject } from "../../src/sessions/entry.ts";
import { breakages, middleOf } from "../support/broken-transcripts.ts";
import { fixture, sessionOf } from "../support/claude-transcripts.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const whole = fixture("2.1.197/resumed") as readonly JsonObject[];
const session = sessionOf(whole);
const quiet = { revised: [], orphans: [], rejected: [], failed: [], sessions: 0, added: 0 };

/** Writes a transcript where the client would, and takes it in. */
async function record(carryon: Carryon) {
  const cwd = await realpath(join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${session}.jsonl`);
  const lines = whole.map((row) => JSON.stringify({ ...row, ...(row.cwd !== undefined && { cwd }) }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${lines.join("\n")}\n`);
  await carryon.ask(["sync"]);
  return { path, lines };
}

async function damage(path: string, lines: readonly string[], name: string): Promise<string | Buffer> {
  const broken = breakages.find((each) => each.name === name)?.damage(lines) ?? "";
  await writeFile(path, broken);
  return broken;
}

async function sync(carryon: Carryon) {
  const { sessions, revised, orphans, rejected, failed, added } = JSON.parse(
    await carryon.ask(["sync", "--json"]),
  );
  return { sessions, revised, orphans, rejected, failed, added };
}

async function entriesOf(carryon: Carryon): Promise<readonly unknown[]> {
  return JSON.parse(await carryon.ask(["show", session, "--json"])).entries;
}

const repair = ["repair", "--client", "claude-code"];

describe("carryon repair", () => {
  it.each(breakages)("installs what was mended, and sync takes nothing twice: $name", async ({ name }) => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    const before = await entriesOf(carryon);
    const broken = await damage(path, lines, name);
    const { files } = JSON.parse(await carryon.ask([...repair, session, "--install", "--json"]));
    expect(files).toMatchObject([{ session, agent: null, mended: files[0].path }]);
    expect(await readFile(files[0].original)).toEqual(Buffer.from(broken));
    expect(await sync(carryon)).toEqual(quiet);
    expect(await entriesOf(carryon)).toEqual(before);
    expect(JSON.parse(await carryon.ask(["resume", session, "--dry-run", "--json"]))).toMatchObject({
      ...{ written: null, preflight: { messages: 13, loaded: 13, files: [{ faults: [], isUsed: true }] } },
    });
    expect(await carryon.ask([...repair, session])).toBe("Nothing is damaged.\n");
    expect((await readdir(dirname(path))).toSorted()).toEqual([basename(path), basename(files[0].original)]);
  });

  it("makes a copy, says what it did, and leaves the file as it is", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    const broken = await damage(path, lines, "a row that became NUL bytes in the middle");
    const { code, stdout, stderr } = await carryon.call(repair);
    expect([code, stderr]).toEqual([
      0,
      "Nothing was replaced. To put the mended files in place: `carryon repair --client claude-code --install`\n",
    ]);
    expect(stdout.replaceAll(/<folder>\S*/g, "PATH")).toMatchInlineSnapshot(`
      "File         PATH
      Found        NUL bytes (line 9), a row whose parent is lost (line 10)
      Result       14 rows kept, 1 line left out, 1 row brought back from the store
      Mended copy  PATH
      "
    `);
    expect(await readFile(path, "utf8")).toBe(broken);
    const copy = /^Mended copy +<folder>(.*\.jsonl\.mended)$/m.exec(stdout)?.[1] ?? "";
    const mended = (await readFile(join(carryon.folder, copy), "utf8")).trimEnd().split("\n");
    expect(mended).toHaveLength(lines.length);
    expect((await stat(join(carryon.folder, copy))).mode & 0o777).toBe(0o600);
  });

  it("mends a file of which nothing is recorded, also where there is no store", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await rm(join(carryon.folder, "home"), { recursive: true });
    await damage(path, lines, "half a row with the next one behind it");
    const { code } = await carryon.call([...repair, session, "--install"]);
    expect(code).toBe(0);
    expect((await readFile(path, "utf8")).trimEnd().split("\n")).toEqual(lines);
  });

  it("refuses while a client is in the session", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    const broken = await damage(path, lines, "half a last row");
    const list = join(carryon.folder, ".claude", "sessions");
    await mkdir(list);
    await writeFile(
      join(list, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: session }),
    );
    const { code, stderr } = await carryon.call([...repair, session, "--install"]);
    expect([code, stderr]).toEqual([
      75,
      expect.stringContaining(`Claude Code is in this session, process ${process.pid}; <folder>`),
    ]);
    expect(await readFile(path, "utf8")).toBe(broken);
    expect(JSON.parse((await carryon.call(["doctor", "--clients", "--json"])).stdout).clients).toMatchObject({
      ...{ examined: 0, inUse: 1, damaged: [] },
    });
  });

  it("removes what a killed installation left, and keeps what another one replaced", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "half a last row");
    await link(path, `${path}.broken-2026-01-01T00-00-00-000Z.json`);
    const gone = makeTempName(basename(path), { ...(await readOwnIdentity()), pid: 2 ** 30 }, systemRandom);
    await writeFile(join(dirname(path), gone), "half");
    await writeFile(`${path}.broken-2025-01-01T00-00-00-000Z.json`, "kept");
    const { files } = JSON.parse(await carryon.ask([...repair, session, "--install", "--json"]));
    expect(new Set(await readdir(dirname(path)))).toEqual(
      new Set(
        [path, `${path}.broken-2025-01-01T00-00-00-000Z.json`, files[0].original].map((each) =>
          basename(each),
        ),
      ),
    );
  });

  it("mends the other sessions while a client is in one, and names that", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "half a last row");
    const other = "0aaaaaaa-0000-4000-8000-000000000000";
    const busy = join(dirname(path), `${other}.jsonl`);
    await writeFile(busy, "{");
    await mkdir(join(carryon.folder, ".claude", "sessions"));
    await writeFile(
      join(carryon.folder, ".claude", "sessions", `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: other }),
    );
    const { code, stdout, stderr } = await carryon.call([...repair, "--install", "--json"]);
    expect([code, stderr]).toEqual([75, expect.stringContaining(`${other}.jsonl was left as it is.`)]);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ session, mended: expect.stringContaining(basename(path)) }],
      failed: [{ what: expect.stringContaining("Claude Code is in this session") }],
    });
    expect(await readFile(busy, "utf8")).toBe("{");
    expect(await carryon.ask([...repair, session])).toBe("Nothing is damaged.\n");
  });

  it("says which session the client has no file of", async () => {
    await using carryon = await openCarryon();
    const { path } = await record(carryon);
    await rm(path);
    expect(await carryon.call([...repair, session])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `carryon: Claude Code has no file of session ${session}.\n  If \`carryon sessions --all\` lists it, \`carryon resume ${session}\` writes one. A file of a subagent is mended with its session.\n`,
    });
  });
});

describe("carryon doctor --clients", () => {
  it("names each damaged file with the command that mends it", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "a call without its result");
    const { code, stdout } = await carryon.call(["doctor", "--clients"]);
    expect(code).toBe(74);
    expect(stdout).toContain("Clients  1 session file examined\n");
    expect(stdout).toContain(`${session}.jsonl is damaged: `);
    expect(stdout).toContain(`\`carryon repair --client claude-code ${session}\``);
    const { clients } = JSON.parse((await carryon.call(["doctor", "--clients", "--json"])).stdout);
    expect(clients.damaged[0].faults).toEqual([
      { fault: "open-call", count: 1, line: middleOf(lines).call + 1 },
      { fault: "lost-parent", count: 1, line: middleOf(lines).result + 1 },
    ]);
  });

  it("notes what the client deletes within a week, and a separator of lines is no damage", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "a separator of lines in a text");
    await writeFile(join(carryon.folder, ".claude", "settings.json"), '{"cleanupPeriodDays":10}');
    const old = new Date(Date.now() - 4 * 86_400_000);
    await utimes(path, old, old);
    const { code, stdout } = await carryon.call(["doctor", "--clients", "--json"]);
    const { problems, notes, clients } = JSON.parse(stdout);
    expect([code, problems]).toEqual([0, []]);
    expect(notes[0].what).toContain("is deleted by its client after");
    expect(clients.expiring[0]).toMatchObject({ session, client: "claude-code", agent: null });
    expect((await carryon.call(["resume", session, "--print"])).stderr).toMatch(
      /^Claude Code deletes <folder>.* after .* unless you go on in it\n$/,
    );
  });
});

describe("carryon resume of a damaged session", () => {
  it("says how much of it the client will load, and how to mend it", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "an answer that has no parent, so that only the end is loaded");
    const { stderr } = await carryon.call(["resume", session, "--print"]);
    expect(stderr.replace(/<folder>\S*/, "PATH")).toMatchInlineSnapshot(`
      "Claude Code will load 8 of the 13 messages of this session; PATH is damaged: a row whose parent is lost (line 9); mend it with \`carryon repair --client claude-code a779f785-8edf-4cc3-a80a-144c7026e706\`
      "
    `);
  });

  it("offers a fork where the client loads a part and no file is damaged", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    const { answer, last } = middleOf(lines);
    const moved = lines.slice(answer, last + 1);
    await writeFile(path, `${[...moved, ...lines.filter((line) => !moved.includes(line))].join("\n")}\n`);
    const { stderr } = await carryon.call(["resume", session, "--print"]);
    const { code, stdout } = await carryon.call([...repair, session]);
    expect({ stderr, code, stdout }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Claude Code will load 5 of the 13 messages of this session; \`carryon fork a779f785-8edf-4cc3-a80a-144c7026e706 --resume\` goes on with all of them
      ",
        "stdout": "Nothing is damaged.
      ",
      }
    `);
  });

  it("writes what the client cannot read any more, and names the damage", async () => {
    await using carryon = await openCarryon();
    const { path, lines } = await record(carryon);
    await damage(path, lines, "a tail of NUL bytes after a power cut");
    expect((await carryon.call(["resume", session, "--print"])).stderr).toMatch(
      /^<folder>.* is damaged: NUL bytes \(line 21\); mend it with `carryon repair --client claude-code \S+`\n/,
    );
    await damage(path, lines, "a newline in a text");
    expect((await carryon.call(["resume", session, "--print"])).stderr).toMatch(
      /is damaged: a row broken by a newline .*\nClaude Code does not have all of this session: it was written/,
    );
  });
});
