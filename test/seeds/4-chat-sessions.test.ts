import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Chatting, openChatting, scenarioOf } from "../support/open-chatting.ts";

const scenario = scenarioOf({
  capital: [{ text: "Paris." }],
  notes: [
    { text: "I look.", calls: [{ tool: "read", input: { path: "notes.txt" } }] },
    { text: "They say 42." },
  ],
});

/** Says some lines in a chat, and returns what was said besides the replies. */
const chat = (carryon: Chatting, args: readonly string[], ...lines: readonly string[]) =>
  carryon.call(["chat", ...args], { input: `${lines.join("\n")}\n` });

/** Returns the ids of the sessions, the newest first: what a command says has others in their place. */
async function idsOf(carryon: Chatting): Promise<readonly string[]> {
  const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
  return sessions.map(({ id }: { readonly id: string }) => id);
}

/** Has a chat, and returns the id of its session. */
async function begin(
  carryon: Chatting,
  args: readonly string[],
  ...lines: readonly string[]
): Promise<string> {
  await chat(carryon, args, ...lines);
  return (await idsOf(carryon))[0] ?? "";
}

/** Returns what the model was last told: roles, and the texts of the messages. */
function lastTold({ model }: Chatting): readonly string[] {
  const { messages = [] } = model.requests.at(-1)?.body ?? {};
  return messages.map(({ role, content }) => `${role}: ${JSON.stringify(content).slice(0, 400)}`);
}

describe("save on exit, and resume by the id of the session", () => {
  // Seed 4: 1.2, 4.2
  it("says at /quit how to resume, and goes on there with the whole conversation", async () => {
    await using carryon = await openChatting(scenario);
    const { stderr } = await chat(carryon, [], "What is the capital?", "/quit", "never said");
    expect(stderr).toMatch(/^Resume with: carryon chat --session session-\d{8}-\d{6}-\S+\n$/);
    const [id = ""] = await idsOf(carryon);
    const second = await chat(carryon, ["--session", id], "And then?");
    expect([second.stderr.split("\n")[0], await idsOf(carryon)]).toEqual(["Restored 2 messages.", [id]]);
    expect(lastTold(carryon)).toEqual(
      ["What is the capital?", "Paris.", "And then?"].map((text) => expect.stringContaining(text)),
    );
  });

  it("makes a new session without an id, and none for an id that nobody knows", async () => {
    await using carryon = await openChatting(scenario);
    for (const line of ["one", "two"]) await chat(carryon, [], line);
    const unknown = await chat(carryon, ["--session", "session-20250219-143022"], "hello");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(await idsOf(carryon)).toHaveLength(2);
  });

  // Seed 4: 3.3, 5.6
  it("restores messages alone: system prompt and model are those of this start", async () => {
    await using carryon = await openChatting(scenario);
    const id = await begin(carryon, ["--system", "You are old.", "--model", "opus"], "hello");
    const now = ["--session", id, "--system", "You are new.", "--model", "sonnet"];
    const { stderr } = await chat(carryon, now, "again");
    const { body } = carryon.model.requests.at(-1) ?? {};
    expect([body?.model, JSON.stringify(body)]).toEqual([
      "claude-sonnet-5-5",
      expect.stringContaining("You are new."),
    ]);
    expect(stderr).toContain("claude-opus-5-5");
  });

  // Seed 4: 2.1, 5.3
  it("keeps calls of tools with their ids and results", async () => {
    await using carryon = await openChatting(scenario);
    const id = await begin(carryon, [], "Read my notes.");
    await chat(carryon, ["--session", id], "Thanks.");
    const told = lastTold(carryon).join("\n");
    const [, call = ""] = /"type":"tool_use","id":"([^"]+)"/.exec(told) ?? [];
    expect(told).toContain(`"tool_use_id":"${call}"`);
  });
});

describe("the commands", () => {
  // Seed 4: 3.5, 4.3
  it("/sessions lists, /save saves, /load saves and then switches", async () => {
    await using carryon = await openChatting(scenario);
    const first = await begin(carryon, ["--name", "First"], "hello from the first");
    const lines = ["hello from the second", "/save", "/sessions", `/load ${first}`, "go on"];
    const { stdout, stderr } = await chat(carryon, [], ...lines);
    expect([stderr, stdout]).toEqual([
      expect.stringMatching(/Session saved: session-\S+/),
      expect.stringContaining("First"),
    ]);
    expect(lastTold(carryon)).toEqual(
      ["hello from the first", "Understood.", "go on"].map((text) => expect.stringContaining(text)),
    );
    const [newest, second = ""] = await idsOf(carryon);
    expect([newest, await carryon.ask(["show", second])]).toEqual([
      first,
      expect.stringContaining("hello from the second"),
    ]);
  });

  it("/load of an unknown id loads nothing, and makes no session", async () => {
    await using carryon = await openChatting(scenario);
    const run = await chat(carryon, [], "begin", "/load session-20250219-143022");
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining("There is no session")]);
    expect(await idsOf(carryon)).toHaveLength(1);
  });

  // Seed 4: 5.2
  it("/reset saves, and clears within the same session: what was before stays in the log", async () => {
    await using carryon = await openChatting(scenario);
    const id = await begin(carryon, [], "before the reset", "/reset", "after the reset");
    expect(lastTold(carryon)).toEqual([expect.stringContaining("after the reset")]);
    const shown = await carryon.ask(["show", id]);
    expect([shown.includes("before the reset"), shown.includes("after the reset")]).toEqual([true, true]);
    await chat(carryon, ["--session", id], "later");
    expect(lastTold(carryon).join("\n")).not.toContain("before the reset");
  });
});

describe("storage", () => {
  // Seed 4: 3.2
  it("writes S-expressions where a file is wanted, without the system prompt, for the owner alone", async () => {
    await using carryon = await openChatting(scenario);
    const file = join(carryon.folder, "session.sexp");
    const args = ["--session-file", file, "--system", "Be secret."];
    const id = await begin(carryon, args, "What is the capital?");
    const text = await readFile(file, "utf8");
    expect(text).toMatch(/^\(:repl-session \(:session-version 1\)/);
    expect(text).toContain(`:id "${id}"`);
    expect(text).toMatch(/:role :user :content "What is the capital\?"/);
    expect(text).not.toContain("Be secret.");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  // Seed 4: 5.1
  it("restores messages and summary of a file, and goes on in it", async () => {
    await using carryon = await openChatting(scenario);
    const file = join(carryon.folder, "session.sexp");
    const fields = [
      ...[':id "session-20250219-143022"', ':created-at "2025-02-19T14:30:22.000Z"'],
      ...[':last-modified "2025-02-19T15:00:00.000Z"', ":message-count 1", ':summary "We spoke of rivers."'],
      ':messages ((:role :user :content "And capitals?" :timestamp "2025-02-19T14:30:22.000Z" :tool-calls nil :tool-call-id nil))',
    ];
    await writeFile(file, `(:repl-session (:session-version 1) ${fields.join("\n ")})\n`);
    const { code } = await chat(carryon, ["--session-file", file], "What is the capital?");
    expect([code, await idsOf(carryon)]).toEqual([0, ["session-20250219-143022"]]);
    const told = lastTold(carryon).join("\n");
    for (const text of ["We spoke of rivers.", "And capitals?", "What is the capital?"])
      expect(told).toContain(text);
    expect(await readFile(file, "utf8")).toContain("Paris.");
  });

  // Seed 4: 4.1, 5.7
  it("takes the interval of the automatic save, also none", async () => {
    await using carryon = await openChatting(scenario);
    for (const interval of ["300", "1", "0"])
      expect((await chat(carryon, ["--auto-save-interval", interval], "hello")).code).toBe(0);
    expect((await chat(carryon, ["--auto-save-interval", "often"], "hello")).code).toBe(2);
  });
});
