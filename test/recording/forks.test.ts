import { appendFile, mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { start } from "../support/child.ts";
import { fixture, read, sessionOf } from "../support/claude-transcripts.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";

/** Copies recorded transcripts to where the client would have written them, and returns their sessions. */
async function copyAll(client: ClientFolder, names: readonly string[]): Promise<readonly string[]> {
  const sessions = names.map((name) => sessionOf(fixture(name)));
  for (const [index, name] of names.entries()) {
    const path = await client.copy(`${name}.jsonl`, sessions[index] ?? "");
    // A clock may be too coarse to tell which of them is the older.
    await utimes(path, index, index);
  }
  return sessions;
}

describe.each(["2.1.325", "2.1.197"])("a fork that Claude Code %s made after a compaction", (version) => {
  const names = ["compacted", "fork-of-compacted", "fork-of-fork"].map((name) => `${version}/${name}`);

  it("is a fork of the session that was compacted, and so is a fork of the fork", async () => {
    await using client = await openClientFolder();
    const [origin = "", fork = "", again = ""] = await copyAll(client, names);
    expect(await client.sync()).toMatchObject({ sessions: 3, forks: 2, orphans: [], failed: [] });
    const all = await client.read();
    expect([fork, again].map((each) => all[each]?.session.forkedFrom?.session)).toEqual([origin, fork]);
    for (const [index, session] of [origin, fork, again].entries()) {
      const ids = all[session]?.entries.map(({ id }) => id) ?? [];
      const missing = read(fixture(names[index] ?? "")).entries.filter(({ id }) => !ids.includes(id));
      expect([new Set(ids).size, missing]).toEqual([ids.length, []]);
    }
  });

  it("is not changed when its transcript is written anew", async () => {
    await using client = await openClientFolder();
    const [, fork = ""] = await copyAll(client, names.slice(0, 2));
    await client.sync();
    const before = await client.read();
    const path = client.locate(fork);
    await writeFile(path, `\n${await readFile(path, "utf8")}`);
    expect(await client.sync()).toMatchObject({ changed: 1, added: 0, revised: [], orphans: [] });
    expect(await client.read()).toEqual(before);
  });
});

describe("a fork", () => {
  const row = (uuid: string, parentUuid: string | null, second: number) => ({
    ...{ type: "user", uuid, parentUuid, message: { role: "user", content: uuid } },
    timestamp: new Date(Date.UTC(2026, 10, 15, 0, 0, second)).toISOString(),
  });
  const title = (customTitle: string) => ({ type: "custom-title", customTitle });
  const render = (rows: readonly object[]) => rows.map((each) => `${JSON.stringify(each)}\n`).join("");

  it("shares all that it copied although its origin was named twice before", async () => {
    await using client = await openClientFolder();
    const [a, b, c] = [row("a", null, 1), row("b", "a", 2), row("c", "b", 3)];
    await client.write("origin", render([a, title("first"), b, title("second"), c]));
    await client.sync();
    await client.write("fork", render([title("second"), a, b, c, row("d", "c", 4)]));
    expect(await client.sync()).toMatchObject({ forks: 1 });
    expect((await client.read()).fork?.session).toMatchObject({
      ...{ title: "second", messages: 4, forkedFrom: { session: "origin", entry: "c" } },
    });
  });

  it("is not taken in while its client may still be copying", async () => {
    await using client = await openClientFolder();
    await using child = start("cat", []);
    const [a, b, c] = [row("a", null, 1), row("b", "a", 2), row("c", "b", 3)];
    await client.write("origin", render([a, b, c]));
    await client.sync();
    await mkdir(join(client.path, "sessions"));
    await writeFile(join(client.path, "sessions", "1.json"), `{"pid":${child.pid},"sessionId":"fork"}`);
    const path = await client.write("fork", render([a, b]));
    expect(await client.sync({ now: new Date() })).toMatchObject({ sessions: 0 });
    await appendFile(path, render([c]));
    child.kill("SIGKILL");
    await child.ended();
    expect(await client.sync({ now: new Date() })).toMatchObject({ sessions: 1, forks: 1 });
    expect((await client.read()).fork?.session.forkedFrom).toEqual({ session: "origin", entry: "c" });
  });

  it("is found although the files were restored in another order", async () => {
    await using client = await openClientFolder();
    const a = row("a", null, 1);
    const fork = await client.write("fork", render([a, row("c", "a", 3)]));
    const origin = await client.write("origin", render([a]));
    await utimes(origin, 1, 1);
    await utimes(fork, 2, 2);
    await client.sync();
    expect((await client.read()).fork?.session.forkedFrom?.session).toBe("origin");
  });

  it("is found that begins with another prompt, because its origin was rewound to the beginning", async () => {
    await using client = await openClientFolder();
    const [a, b] = [row("a", null, 1), row("b", null, 2)];
    await client.write("origin", render([a, b]));
    await client.sync();
    await client.write("fork", render([b, row("c", "b", 3)]));
    expect(await client.sync()).toMatchObject({ forks: 1, added: 1 });
  });
});
