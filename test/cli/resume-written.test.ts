import { appendFile, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { putSeen } from "../support/client-folder.ts";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";

const first = "11111111-1111-4111-8111-111111111111";

describe("carryon resume of a session that Claude Code does not have", () => {
  const written = async (path: string) =>
    (await readFile(path, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const says =
    "Claude Code has no transcript of this session: it was written from the store. Kept: 1 prompt.\n";

  it("writes the transcript that was deleted, and takes in only what the client adds", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    const before = await written(path);
    await rm(path);
    const stdout = `cd <folder>/work && claude --resume=${first}\n`;
    expect(await carryon.call(["resume", first])).toEqual({ code: 0, stdout, stderr: says });
    expect((await written(path))[0]).toMatchObject({
      ...{ message: before[0].message, sessionId: first, timestamp: before[0].timestamp },
      ...{ parentUuid: null, cwd: before[0].cwd },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [{ uuid: parentUuid }] = await written(path);
    const row = { type: "user", uuid: "row-x", parentUuid, sessionId: first, message: { content: "more" } };
    await appendFile(path, `${JSON.stringify({ ...row, timestamp: "2026-11-15T12:09:00.000Z" })}\n`);
    expect(JSON.parse(await carryon.ask(["sync", "--json"]))).toMatchObject({
      ...{ sessions: 0, revised: [], orphans: [], rejected: [] },
    });
    const { entries } = JSON.parse(await carryon.ask(["show", first, "--json"]));
    const said = (entries as readonly { kind: string; parts?: readonly { text: string }[] }[]).filter(
      ({ kind }) => kind === "message",
    );
    expect(said.map(({ parts }) => parts?.[0]?.text)).toEqual(["first", "more"]);
    // Once it is there, it is the client's.
    expect(await carryon.call(["resume", first])).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("writes the prompt that only a hook has seen", async () => {
    await using carryon = await openCarryon();
    const cwd = await realpath(join(carryon.folder, "work"));
    await putSeen(join(carryon.folder, "home"), {
      ...{ event: "UserPromptSubmit", session: first, at: new Date(0) },
      payload: { prompt: "Fix the login.", cwd },
    });
    await carryon.ask(["sync"]);
    expect(await carryon.call(["resume", first])).toMatchObject({ code: 0, stderr: says });
    const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${first}.jsonl`);
    expect((await written(path))[0]).toMatchObject({ message: { role: "user", content: "Fix the login." } });
  });

  it("leaves a transcript alone that is empty, and says how it comes back", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    await writeFile(path, "");
    const { code, stderr } = await carryon.call(["resume", first]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`The transcript of session ${first} is empty: `),
    ]);
    expect((await stat(path)).size).toBe(0);
    await rm(path);
    expect(await carryon.call(["resume", first])).toMatchObject({ code: 0, stderr: says });
  });

  it("writes nothing when it only says what would be written", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    expect(await carryon.ask(["resume", first, "--dry-run"])).toBe(
      "Claude Code has this session itself: nothing would be written.\n",
    );
    await rm(path);
    expect(await carryon.ask(["resume", first, "--dry-run"])).toBe(
      "A transcript would be written for Claude Code. Kept: 1 prompt.\n",
    );
    expect(JSON.parse(await carryon.ask(["resume", first, "--dry-run", "--json"])).written).toEqual({
      ...{ kept: { prompt: 1 }, changed: {}, leftOut: {} },
    });
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });
});
