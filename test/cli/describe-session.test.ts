import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

describe("fork", () => {
  it("prints only the new id, and shares the entries up to a place or an entry", async () => {
    await using carryon = await openCarryon();
    const origin = await carryon.record("one", "two", "three");
    const [atPlace, atEntry] = [
      await carryon.call(["fork", "latest", "--at", "2", "--title", "Try two"]),
      await carryon.call([
        "fork",
        origin,
        "--at",
        JSON.parse(await carryon.ask(["show", origin, "--json"])).entries[0].id,
      ]),
    ];
    expect([atPlace, atEntry]).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "",
          "stdout": "session-00000000-000000-0001-try-two
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "session-00000000-000000-0002
      ",
        },
      ]
    `);
    const { session, entries } = JSON.parse(await carryon.ask(["show", "Try two", "--json"]));
    expect({ from: session.forkedFrom, title: session.title, entries: entries.length }).toEqual({
      from: { session: origin, entry: entries[1].id },
      title: "Try two",
      entries: 2,
    });
  });

  it("refuses a place that is not there", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    expect(await carryon.call(["fork", "latest", "--at", "9"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: There is no entry 9 in session session-00000000-000000-0001.
        List its entries with \`carryon show session-00000000-000000-0001 --json\`.
      ",
        "stdout": "",
      }
    `);
  });
});

describe("rename", () => {
  it("gives another title, and the last one counts", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    await carryon.ask(["rename", "latest", "Second"]);
    expect(await carryon.call(["rename", "second", " Third\n title "])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Renamed to “Third title”: session-00000000-000000-0001
      ",
        "stdout": "",
      }
    `);
    const { session } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
    expect({ title: session.title, status: session.status, entries: session.entries }).toEqual({
      title: "Third title",
      status: "ended",
      entries: 4,
    });
  });
});

describe("tag", () => {
  it("keeps what several add at once", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const names = ["t1", "t2", "t3", "t4", "t5", "t6"];
    await Promise.all(names.map((name) => carryon.run(["tag", "latest", name])));
    expect(await carryon.ask(["tag", "latest"])).toBe(names.map((name) => `${name}\n`).join(""));
  });

  it("stores no secret, and says so", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const secret = `ghp_${"aB3dE6gH9j".repeat(3)}aB3dE6`;
    expect(await carryon.call(["tag", "latest", "bug", secret])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "carryon: A tag that looks like a secret was not stored.\n  Tags are shown in every list; choose another word.\n",
    });
    expect(await carryon.ask(["tag", "latest"])).toBe("bug\n");
  });

  it("adds, lists and removes tags, and records nothing when nothing changes", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    expect([
      await carryon.ask(["tag", "latest", "bug", "auth", "bug"]),
      await carryon.ask(["tag", "latest", "auth"]),
      await carryon.ask(["tag", "latest", "--remove", "bug"]),
      await carryon.ask(["tag", "latest", "--json"]),
    ]).toEqual(["auth\nbug\n", "auth\nbug\n", "auth\n", '{"tags":["auth"]}\n']);
    expect(await carryon.call(["tag", "latest", "no spaces"])).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'carryon: "no spaces" is not a valid tag.\n  Use one word of at most 64 letters, digits and the characters _ . : / -\n',
    });
    // The message, its end, and the two changes.
    expect(JSON.parse(await carryon.ask(["show", "latest", "--json"])).session.entries).toBe(4);
  });
});
