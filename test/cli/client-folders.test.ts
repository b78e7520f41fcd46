import { appendFile, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { openInbox } from "../../src/storage/open-inbox.ts";
import { recordPrompt } from "../support/record-prompt.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";
/** So long ago that who is on no list of processes is taken for gone. */
const anHourAgo = new Date(Date.now() - 3_600_000);

describe("a folder of the client that only hooks know", () => {
  /** Records a session as a client with a folder of its own does; its hook tells where the transcript is. */
  async function recordElsewhere(carryon: Carryon, config: string): Promise<string> {
    const work = await realpath(join(carryon.folder, "work"));
    const path = join(carryon.folder, config, "projects", makeSlug(work), `${first}.jsonl`);
    const row = { type: "user", uuid: "row-1", parentUuid: null, sessionId: first, cwd: work };
    const said = { ...row, timestamp: anHourAgo.toISOString(), message: { role: "user", content: "hello" } };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify(said)}\n`);
    await mkdir(join(carryon.folder, config, "sessions"));
    const listed = JSON.stringify({ pid: process.pid, sessionId: first });
    await writeFile(join(carryon.folder, config, "sessions", `${process.pid}.json`), listed);
    await mkdir(join(carryon.folder, ".claude", "sessions"), { recursive: true });
    await using inbox = await openInbox(join(carryon.folder, "home"));
    const told = { client: "claude-code", event: "SessionStart", session: first } as const;
    const payload = { transcript_path: path, cwd: work, source: "startup" };
    await inbox.put([{ ...told, receivedMs: anHourAgo.getTime(), payload: JSON.stringify(payload) }]);
    return path;
  }

  it("is given to the client that resumes a session from there, in any shell", async () => {
    await using carryon = await openCarryon();
    await recordElsewhere(carryon, "it's alt");
    await carryon.ask(["sync"]);
    const run = async (env: Readonly<Record<string, string>>) =>
      (await carryon.run(["resume", first], { env })).stdout;
    const command = `claude --resume=${first}\n`;
    expect(await run({})).toBe(`cd <folder>/work && CLAUDE_CONFIG_DIR='<folder>/it'\\''s alt' ${command}`);
    expect(await run({ CLAUDE_CONFIG_DIR: join(carryon.folder, "it's alt") })).toBe(
      `cd <folder>/work && ${command}`,
    );
  });

  it("is taken from the client that resumes a session of the usual one", async () => {
    await using carryon = await openCarryon();
    await recordPrompt(carryon, first, "first");
    const env = { CLAUDE_CONFIG_DIR: join(carryon.folder, "alt") };
    expect((await carryon.call(["resume", first], { env })).stdout).toBe(
      `cd <folder>/work && env -u CLAUDE_CONFIG_DIR claude --resume=${first}\n`,
    );
  });

  it("is looked into again without a hook, for what was recorded, and for who is there", async () => {
    await using carryon = await openCarryon();
    const path = await recordElsewhere(carryon, "alt");
    await carryon.ask(["sync"]);
    const row = { type: "user", uuid: "row-2", parentUuid: "row-1", sessionId: first };
    const timestamp = anHourAgo.toISOString();
    await appendFile(path, `${JSON.stringify({ ...row, timestamp, message: { content: "more" } })}\n`);
    await writeFile(path.replace(first, second), await readFile(path));
    await carryon.ask(["sync"]);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toMatchObject([
      { id: first, messages: 2, status: "open" },
    ]);
  });

  it("is remembered once, by a whole path, whatever links lead to it", async () => {
    await using carryon = await openCarryon();
    await mkdir(join(carryon.folder, "alt"));
    await symlink(join(carryon.folder, "alt"), join(carryon.folder, "link"));
    await mkdir(join(carryon.folder, "work", "relative"));
    for (const config of [join(carryon.folder, "alt"), join(carryon.folder, "link"), "relative"])
      expect(await carryon.call(["sync"], { env: { CLAUDE_CONFIG_DIR: config } })).toMatchObject({ code: 0 });
    const noted = JSON.parse(await readFile(join(carryon.folder, "home", "clients.json"), "utf8"));
    expect(noted).toEqual({ version: 1, "claude-code": [join(carryon.folder, "alt")] });
  });
});
