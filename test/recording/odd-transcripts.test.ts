import { appendFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nothingUnusual, openClientFolder } from "../support/client-folder.ts";

const session = "11111111-2222-4333-8444-555555555555";

/** A prompt in a second of a minute. */
function row(uuid: string, parentUuid: string | null, second: unknown, content: unknown = uuid) {
  const timestamp =
    typeof second === "number" ? new Date(Date.UTC(2026, 10, 15, 0, 0, second)).toISOString() : second;
  return {
    type: "user",
    uuid,
    parentUuid,
    sessionId: session,
    timestamp,
    message: { role: "user", content },
  };
}

const render = (rows: readonly object[]) => rows.map((each) => `${JSON.stringify(each)}\n`).join("");

/** What is stored of rows that come in pieces, each of which is taken in: ids with their parents, and when they were. */
async function store(...pieces: readonly (string | Uint8Array)[]) {
  await using client = await openClientFolder();
  const path = await client.write(session, "");
  const reports = [];
  for (const piece of pieces) {
    await appendFile(path, piece);
    reports.push(await client.sync());
  }
  expect(await client.sync()).toMatchObject({ added: 0, changed: 0, sessions: 0, failed: [] });
  const { [session]: stored } = await client.read();
  return {
    reports,
    session: stored?.session,
    entries: stored?.entries ?? [],
    tree: (stored?.entries ?? []).map(({ id, parent }) => [id, parent]),
  };
}

describe("what cannot be read", () => {
  it("is reported, and does not keep the other transcripts out", async () => {
    await using client = await openClientFolder();
    await client.write(session, render([row("a", null, 1)]));
    const projects = join(client.path, "projects");
    const loops = [
      join(projects, "-loop"),
      client.locate("99999999-2222-4333-8444-555555555555"),
      join(projects, "-home-me", "agent-loop.jsonl"),
    ];
    for (const loop of loops) await symlink(loop, loop);
    const { added, failed } = await client.sync();
    expect([added, new Set(failed.map(({ path }) => path))]).toEqual([1, new Set(loops)]);
  });
});

describe("a transcript", () => {
  it.each([
    { case: "without a byte", text: "" },
    { case: "of empty lines", text: "\n\n\n" },
    { case: "of half a line", text: '{"type":"user","uuid":"a","parentUu' },
    { case: "of rows of unknown types", text: render([{ type: "of-a-newer-client" }, { type: "mode" }]) },
    { case: "of titles alone", text: render([{ type: "custom-title", customTitle: "Lonely" }]) },
  ])("$case makes no session", async ({ text }) => {
    const { reports, session: stored } = await store(text);
    expect([stored, reports]).toMatchObject([undefined, [{ sessions: 0, rejected: [], failed: [] }]]);
  });

  it("of bytes that are no text is reported line by line, and the rest is taken in", async () => {
    const bad = Buffer.concat([
      Buffer.from('{"type":"user","uuid":"b","x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
    ]);
    const { reports, tree } = await store(
      render([row("a", null, 1)]),
      Buffer.concat([bad, Buffer.from([0, 1, 2, 0x80, 10])]),
      render([row("c", "a", 2)]),
    );
    expect(tree).toEqual([
      ["a", null],
      ["c", "a"],
    ]);
    expect(reports.map(({ rejected }) => rejected.map(({ line }) => line))).toEqual([[], [2, 3], []]);
  });

  it("that two clients write at once is a tree, and no row is lost", async () => {
    const { tree, reports } = await store(
      render([row("a", null, 1), row("b", "a", 2)]),
      render([row("one-1", "b", 3), row("two-1", "b", 3), row("one-2", "one-1", 4)]),
      render([row("two-2", "two-1", 5), row("one-3", "one-2", 5)]),
    );
    expect(tree).toEqual([
      ["a", null],
      ["b", "a"],
      ["one-1", "b"],
      ["two-1", "b"],
      ["one-2", "one-1"],
      ["two-2", "two-1"],
      ["one-3", "one-2"],
    ]);
    expect(reports.flatMap(({ orphans }) => orphans)).toEqual([]);
  });

  it("whose rows follow one another in a circle, or follow nothing, is taken in whole", async () => {
    const rows = [
      row("a", "b", 1),
      row("b", "c", 2),
      row("c", "a", 3),
      row("d", "never", 4),
      row("e", "d", 5),
    ];
    const { tree, reports } = await store(render(rows));
    expect(tree.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ["a", "e"],
      ["b", "c"],
      ["c", "a"],
      ["d", null],
      ["e", "d"],
    ]);
    expect(reports[0]?.orphans.map(({ entry, parent }) => [entry, parent])).toEqual([
      ["d", "never"],
      ["a", "b"],
    ]);
  });

  it("whose rows come again with other content keeps each change", async () => {
    const { entries, reports } = await store(
      render([row("a", null, 1, "first")]),
      render([row("a", null, 2, "second"), row("a", null, 3, "first"), row("b", "a", 4)]),
    );
    expect(entries).toMatchObject([
      { id: "a", parts: [{ text: "first" }] },
      { id: expect.stringMatching(/^a-[0-9a-f]{12}$/), replaces: "a", parts: [{ text: "second" }] },
      { id: expect.stringMatching(/^a-[0-9a-f]{12}-2$/), replaces: "a", parts: [{ text: "first" }] },
      { id: "b", parent: entries[2]?.id },
    ]);
    expect(reports[1]?.revised).toMatchObject([{ kept: "both" }, { kept: "both" }]);
  });

  it("whose clock goes back, stops or is nonsense is taken in by the order of its rows", async () => {
    const times = [20, 10, undefined, null, "yesterday", 7, "+275760-09-13T00:00:00.000Z", -1, 30];
    const rows = times.map((time, index) => row(`r${index}`, index === 0 ? null : `r${index - 1}`, time));
    const { tree, entries, session: stored } = await store(render(rows.slice(0, 4)), render(rows.slice(4)));
    expect(tree).toEqual(rows.map(({ uuid, parentUuid }) => [uuid, parentUuid]));
    expect(entries.map(({ at }) => at.getUTCSeconds())).toEqual([20, 10, 10, 10, 10, 7, 7, 59, 30]);
    expect(stored).toMatchObject({ messages: 9, startedAt: entries[0]?.at });
  });

  it("without any time is taken in, too", async () => {
    const { tree, session: stored } = await store(
      render([row("a", null, undefined), row("b", "a", undefined)]),
    );
    expect([tree.slice(0, 2), stored?.startedAt]).toEqual([
      [
        ["a", null],
        ["b", "a"],
      ],
      new Date(0),
    ]);
  });

  it("of 50 MB with a line of 20 MB is taken in whole", async () => {
    await using client = await openClientFolder();
    const long = "x".repeat(20 * 1024 * 1024);
    const many = Array.from({ length: 30 }, (_, index) =>
      row(`r${index}`, index === 0 ? "long" : `r${index - 1}`, 2, "y".repeat(1024 * 1024)),
    );
    const path = await client.write(session, "");
    await writeFile(path, render([row("long", null, 1, long)]));
    for (const each of many) await appendFile(path, render([each]));
    const expected = { ...nothingUnusual, transcripts: 1, changed: 1, sessions: 1, added: 31 };
    expect(await client.sync()).toEqual(expected);
    expect(await client.sync()).toEqual({ ...expected, changed: 0, sessions: 0, added: 0 });
    const { [session]: stored } = await client.read();
    const lengths = stored?.entries.map((entry) => JSON.stringify(entry).length > 1024 * 1024);
    expect([lengths?.length, new Set(lengths)]).toEqual([31, new Set([true])]);
  });
});
