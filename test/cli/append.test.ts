import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

const line = (text: string, extra: object = {}) => `${JSON.stringify({ role: "user", text, ...extra })}\n`;

/** Returns what was said in the newest session, and how it stopped. */
async function readLatest(carryon: Awaited<ReturnType<typeof openCarryon>>) {
  const { session, entries } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
  const messages = entries.filter((entry: { kind: string }) => entry.kind === "message");
  return {
    status: session.status,
    texts: messages.map((entry: { seq: number; parts: { text: string }[] }) => [
      entry.seq,
      entry.parts[0]?.text,
    ]),
  };
}

describe("append", () => {
  it("acknowledges the session, then each entry by number and id", async () => {
    await using carryon = await openCarryon();
    const input = line("Fix the login") + line("Sure", { role: "assistant" });
    expect(await carryon.run(["append"], { input })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "{"session":"session-00000000-000000-0001"}
      {"seq":1,"id":"ent_0002"}
      {"seq":2,"id":"ent_0003"}
      ",
      }
    `);
    expect(JSON.parse((await carryon.call(["show", "latest", "--json"])).stdout)).toMatchInlineSnapshot(`
      {
        "entries": [
          {
            "at": "<time>",
            "id": "ent_0002",
            "kind": "message",
            "parent": null,
            "parts": [
              {
                "text": "Fix the login",
                "type": "text",
              },
            ],
            "role": "user",
            "seq": 1,
            "session": "session-00000000-000000-0001",
            "strand": "main",
          },
          {
            "at": "<time>",
            "id": "ent_0003",
            "kind": "message",
            "parent": "ent_0002",
            "parts": [
              {
                "text": "Sure",
                "type": "text",
              },
            ],
            "role": "assistant",
            "seq": 2,
            "session": "session-00000000-000000-0001",
            "strand": "main",
          },
          {
            "at": "<time>",
            "data": {},
            "event": "ended",
            "id": "ent_0004",
            "kind": "event",
            "parent": "ent_0003",
            "seq": 3,
            "session": "session-00000000-000000-0001",
            "strand": "main",
          },
        ],
        "session": {
          "branch": null,
          "client": "carryon-append",
          "clientSessionId": null,
          "cwd": "<folder>/work",
          "endedAt": "<time>",
          "entries": 3,
          "forkedFrom": null,
          "head": "<hash>",
          "id": "session-00000000-000000-0001",
          "machine": "<machine>",
          "messages": 2,
          "project": "path:<folder>/work",
          "projectName": "work",
          "startedAt": "<time>",
          "status": "ended",
          "tags": [],
          "title": "Fix the login",
          "updatedAt": "<time>",
          "writer": null,
        },
      }
    `);
  });

  it("acknowledges an entry before the next one arrives", async () => {
    await using carryon = await openCarryon();
    const child = carryon.start(["append"]);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => Object.keys(JSON.parse((await lines.next()).value ?? "{}"));
    const seen = [await next()];
    for (const text of ["one", "two"]) {
      child.stdin.write(line(text));
      seen.push(await next());
    }
    child.stdin.end();
    await once(child, "close");
    expect(seen).toEqual([["session"], ["seq", "id"], ["seq", "id"]]);
  });

  it("stops at a bad line, keeps what came before it, and says that it was interrupted", async () => {
    await using carryon = await openCarryon();
    const input = `${line("one")}{"role":"king","text":"x"}\n${line("three")}`;
    expect(await carryon.call(["append"], { input })).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Line 2 was refused: It is not an entry: role must be one of user, assistant, tool. The entry before it is saved, the rest of the input is not.
        Write {"role":"user","text":"…"}, or a whole entry as in docs/formats/entry.md.
      ",
        "stdout": "{"session":"session-00000000-000000-0001"}
      {"seq":1,"id":"ent_0002"}
      ",
      }
    `);
    expect(await readLatest(carryon)).toEqual({ status: "interrupted", texts: [[1, "one"]] });
  });

  it("skips bad lines with --keep-going, and still exits with 2", async () => {
    await using carryon = await openCarryon();
    const input = `not json\n${line("two")}[1]\n\n${line("five")}{"role":"user"`;
    expect(await carryon.call(["append", "--keep-going"], { input })).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Line 1 was skipped: It is not valid JSON.
      carryon: Line 3 was skipped: It is not an entry: it must be an object.
      carryon: Line 6 was skipped: It is not valid JSON.
      carryon: 3 lines could not be appended; all others are saved.
      ",
        "stdout": "{"session":"session-00000000-000000-0001"}
      {"seq":1,"id":"ent_0002"}
      {"seq":2,"id":"ent_0003"}
      ",
      }
    `);
    expect(await readLatest(carryon)).toEqual({
      status: "ended",
      texts: [
        [1, "two"],
        [2, "five"],
      ],
    });
  });

  it("adds to a session that had ended, and acknowledges what it knew already by its old number", async () => {
    await using carryon = await openCarryon();
    await carryon.call(["append", "--title", "Tests"], { input: line("one", { id: "first" }) });
    const input = line("one", { id: "first" }) + line("two", { id: "second" });
    expect(await carryon.call(["append", "--session", "tests", "-"], { input })).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "{"session":"session-00000000-000000-0001-tests"}
      {"seq":1,"id":"first"}
      {"seq":3,"id":"second"}
      ",
      }
    `);
    expect(await readLatest(carryon)).toEqual({
      status: "ended",
      texts: [
        [1, "one"],
        [3, "two"],
      ],
    });
  });

  it("saves what comes before a conflict, and exits with 4", async () => {
    await using carryon = await openCarryon();
    const input = line("one", { id: "a" }) + line("two", { id: "b" }) + line("other", { id: "a" });
    expect(await carryon.call(["append"], { input })).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "carryon: Line 3 was refused: Its id a is already in the session with other content. The 2 entries before it are saved, the rest of the input is not.
        Give the new entry an id of its own.
      ",
        "stdout": "{"session":"session-00000000-000000-0001"}
      {"seq":1,"id":"a"}
      {"seq":2,"id":"b"}
      ",
      }
    `);
    expect((await readLatest(carryon)).texts).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
  });

  it.each([
    { case: "an unknown session", args: ["append", "--session", "nope"] },
    { case: "a missing file", args: ["append", "missing.jsonl"] },
    { case: "a folder", args: ["append", "."] },
    { case: "a title for a session that has one", args: ["append", "--session", "x", "--title", "y"] },
    { case: "an empty title", args: ["append", "--title", " "] },
  ])("records nothing when it is given $case", async ({ args }) => {
    await using carryon = await openCarryon();
    const { code, stdout } = await carryon.call(args, { input: line("one") });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(JSON.parse(await carryon.ask(["sessions", "--all", "--json"]))).toEqual({
      sessions: [],
      damaged: [],
      next: null,
    });
  });

  it.each([
    { signal: "SIGINT", code: 130 },
    { signal: "SIGTERM", code: 143 },
  ] as const)(
    "keeps what it acknowledged and says that it was interrupted on $signal",
    async ({ signal, code }) => {
      await using carryon = await openCarryon();
      const child = carryon.start(["append"]);
      child.stdin.write(line("one"));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      await lines.next();
      await lines.next();
      child.kill(signal);
      await once(child, "close");
      expect(child.exitCode).toBe(code);
      expect(await readLatest(carryon)).toEqual({ status: "interrupted", texts: [[1, "one"]] });
    },
  );

  it("stops when nobody reads its acknowledgements any more", async () => {
    await using carryon = await openCarryon();
    const child = carryon.start(["append"]);
    child.stdin.on("error", () => undefined);
    await once(child.stdout, "data");
    child.stdout.destroy();
    child.stdin.write(line("one"));
    child.stdin.write(line("two"));
    await once(child, "exit");
    expect(child.exitCode).toBe(141);
    expect((await readLatest(carryon)).status).toBe("interrupted");
  });

  it("takes a file of what `show --json` prints", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const { entries } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
    await writeFile(join(carryon.folder, "work", "talk.jsonl"), `${JSON.stringify(entries[0])}\n`);
    expect(await carryon.call(["append", "talk.jsonl"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "{"session":"session-00000000-000000-0001"}
      {"seq":1,"id":"ent_0002"}
      ",
      }
    `);
  });
});
