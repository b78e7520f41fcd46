import { describe, expect, it } from "vitest";
import { absorb } from "../../../src/clients/claude-code/to-entries.ts";
import { startTranscript } from "../../../src/clients/claude-code/transcript-state.ts";
import type { NewEntry } from "../../../src/sessions/entry.ts";
import { assistant, at, prompt, user } from "../../support/claude-rows.ts";
import { fixture, read, sessionOfClient, toRows } from "../../support/claude-transcripts.ts";

describe("a session", () => {
  const named = (id: unknown, title: string, parent: string, second = 0) => ({
    ...{ id, parent, at: at(second), kind: "event", event: "titled", data: { title } },
  });
  const anyId = expect.stringMatching(/^titled-\d{6}-[0-9a-f]{12}$/);

  it("is titled when its title changes; the user's word counts more than the client's", () => {
    const rows = [
      { type: "custom-title", customTitle: "Mine" },
      user("u1", "one"),
      { type: "custom-title", customTitle: "Mine" },
      { type: "ai-title", aiTitle: "Its own" },
      user("u2", "two", { parentUuid: "u1" }),
      { type: "custom-title", customTitle: "" },
    ];
    const { entries, state } = read(rows);
    const [, first, , second] = entries;
    expect(entries).toEqual([
      prompt("u1", "one"),
      named(anyId, "Mine", "u1"),
      prompt("u2", "two", first?.id),
      named(anyId, "Its own", "u2"),
    ]);
    expect([first?.id, second?.id]).toEqual([first?.id, second?.id].toSorted());
    expect(state.facts.title).toBe("Its own");
  });

  it("takes a summary for a title only if it is of this conversation", () => {
    const rows = [
      user("u1", "one"),
      { type: "summary", summary: "Another's", leafUuid: "elsewhere" },
      { type: "summary", summary: "This one's", leafUuid: "u1" },
    ];
    expect(read(rows).entries.slice(1)).toEqual([named(anyId, "This one's", "u1")]);
  });

  it("is tagged with one word, and linked once", () => {
    const link = { type: "pr-link", prNumber: 7, prUrl: "https://example.com/7", prRepository: "me/it" };
    const rows = [user("u1", "one"), { type: "tag", tag: "to do!" }, link, link, { type: "tag", tag: "" }];
    expect(
      read(rows)
        .entries.slice(1)
        .map((entry) => entry.kind === "event" && [entry.event, entry.data]),
    ).toEqual([
      ["tagged", { add: ["to-do-"], remove: [] }],
      ["pull-request", { number: 7, url: "https://example.com/7", repository: "me/it" }],
      ["tagged", { add: [], remove: ["to-do-"] }],
    ]);
  });

  it("has no branch where the client knows none", () => {
    const detached = [user("u1", "one", { gitBranch: "HEAD" })];
    const before = [user("u0", "none", { gitBranch: "main" }), { ...user("u1", "one"), gitBranch: "HEAD" }];
    expect([detached, before].map((rows) => read(rows).state.facts.branch)).toEqual([null, "main"]);
  });

  it("says where and when it was, and where the client stands in it", () => {
    const more = { cwd: "/home/me/a", gitBranch: "main", version: "2.1.325", sessionId: sessionOfClient };
    const rows = [
      user("u1", "one", more),
      { ...assistant("a1", "u1", [{ type: "text", text: "x" }]), cwd: "/home/me/a/b", gitBranch: "fix" },
      { type: "relocated", relocatedCwd: "/home/me/moved" },
      { type: "last-prompt", lastPrompt: "one", leafUuid: "a1" },
      { type: "last-prompt", leafUuid: "00000000-0000-0000-0000-000000000000", explicit: true },
    ];
    expect(read(rows).state.facts).toEqual({
      ...{ startedAt: at(0).toISOString(), updatedAt: at(1).toISOString() },
      ...{ cwd: "/home/me/moved", branch: "fix", version: "2.1.325", title: null, tag: null, leaf: "a1" },
      ...{ lastPrompt: { text: null, leaf: null }, leading: ["u1", "a1"], forkedFrom: null, turn: "done" },
    });
  });

  it("has a strand for each subagent, in its own file or among the other rows", () => {
    const own = absorb(
      startTranscript(sessionOfClient, "a1"),
      toRows([user("u1", "sub", { isSidechain: true })]),
    );
    const among = read([user("u1", "sub", { isSidechain: true, agentId: "a1" })]);
    expect(own.entries).toEqual([{ ...prompt("u1", "sub"), strand: "agent-a1" }]);
    expect(among.entries).toEqual(own.entries);
    expect([own.state.facts.leaf, among.state.facts.leaf]).toEqual(["u1", null]);
  });
});

describe("a fork", () => {
  it("by the client begins with the entries of its origin", () => {
    for (const version of [
      ["2.1.197/resumed", "2.1.197/forked"],
      ["2.1.325/titled", "2.1.325/forked"],
    ] as const) {
      const [origin, fork] = version.map((name) => read(fixture(name)));
      const ofOrigin = new Map(origin?.entries.map((entry) => [entry.id, entry]));
      expect(fork?.state.facts.leading).toEqual(origin?.state.facts.leading);
      const shared = fork?.entries.filter((entry) => ofOrigin.has(entry.id)) ?? [];
      const content = ({ at: _at, parent: _parent, ...rest }: NewEntry) => rest;
      expect(shared.length).toBeGreaterThan(8);
      expect(shared.map(content)).toEqual(shared.flatMap(({ id }) => ofOrigin.get(id) ?? []).map(content));
    }
  });

  it("by the SDK names the last row that it copied", () => {
    const { entries, state } = absorb(
      startTranscript("f95e2b29-4c51-43fe-adff-76c32670bd8f"),
      toRows(fixture("2.1.325/forked-by-sdk")),
    );
    expect(state.facts.forkedFrom).toEqual({
      session: "11111111-1111-4111-8111-111111111111",
      message: "2a0cd77d-3a09-4378-8cfd-3dbf26ce0254",
      entry: entries.at(-2)?.id,
    });
  });
});
