import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChatting, scenarioOf } from "../../support/open-chatting.ts";

const write = { tool: "write", input: { path: "hello.txt", content: "hello\n" } };

const scenario = scenarioOf({
  capital: [{ text: "Paris.\n\nIt is on the Seine." }],
  hidden: [{ text: "a\u001B[31mb\u202Ec 👩‍👧" }],
  "make it": [{ text: "I write it.", calls: [write] }, { text: "Done." }],
  overloaded: [{ error: { status: 400, type: "invalid_request_error", message: "No." } }],
});

describe("carryon chat in a pipe", () => {
  it("answers each line and says how to go on", async () => {
    await using carryon = await openChatting(scenario);
    const run = await carryon.call(["chat"], { input: "What is the capital?\n\nThank you.\n" });
    expect(run).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Resume with: carryon chat --session session-00000000-000000-0001
      ",
        "stdout": "Paris.

      It is on the Seine.
      Understood.
      ",
      }
    `);
  });

  it("takes lines that end with a backslash together", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat"], { input: "one\\\ntwo\n" });
    const [request] = carryon.model.requests;
    expect(JSON.stringify(request?.body)).toContain("one\\\\ntwo".replace("\\\\", "\\"));
  });

  // Seed 4: 1.2, 3.6
  it("goes on in a session and says what was restored", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat", "--name", "Geography"], { input: "What is the capital?\n" });
    const run = await carryon.call(["chat", "--session", "Geo"], { input: "And then?\n" });
    expect(run.stderr).toMatch(/^Restored 2 messages\.\nResume with: /);
    expect(run.stdout).toBe("Understood.\n");
    expect((await carryon.ask(["show", "latest"])).match(/^(?:user|assistant)/gm)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  it("makes no session where nothing is said", async () => {
    await using carryon = await openChatting(scenario);
    expect(await carryon.call(["chat"], { input: "\n" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toEqual([]);
  });

  it("makes characters visible that could act on a terminal", async () => {
    await using carryon = await openChatting(scenario);
    const { stdout } = await carryon.call(["chat"], { input: "say something hidden\n" });
    expect(stdout).toBe("a^[[31mb<U+202E>c 👩‍👧\n");
  });

  it("declines what nobody can be asked about, and does it with --yes", async () => {
    await using carryon = await openChatting(scenario);
    const file = join(carryon.folder, "work", "hello.txt");
    const declined = await carryon.call(["chat"], { input: "make it\n" });
    expect(declined.stdout).toBe("I write it.\nDone.\n");
    expect(declined.stderr).toContain(
      "Declined, because nobody can be asked: write hello.txt (1 line) (allow it with --yes)\n",
    );
    expect(existsSync(file)).toBe(false);
    const allowed = await carryon.call(["chat", "--yes"], { input: "make it\n" });
    expect(allowed.stderr).toContain("→ write hello.txt (1 line)\n");
    expect(await readFile(file, "utf8")).toBe("hello\n");
  });

  it("offers no tools with --no-tools", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat", "--no-tools"], { input: "make it\n" });
    expect(carryon.model.requests[0]?.body).not.toHaveProperty("tools");
  });

  it("tells the model what a file says", async () => {
    await using carryon = await openChatting(scenario);
    await writeFile(join(carryon.folder, "work", "style.md"), "Speak like a pirate.");
    await carryon.call(["chat", "--system", "@style.md"], { input: "hi\n" });
    expect(JSON.stringify(carryon.model.requests[0]?.body)).toContain("Speak like a pirate.");
  });

  it("ends with the error of the model, and the session stays", async () => {
    await using carryon = await openChatting(scenario);
    const run = await carryon.call(["chat"], { input: "overloaded\nnever said\n" });
    expect(run.code).not.toBe(0);
    expect(run.stdout).toBe("");
    expect(run.stderr).toMatch(/^Resume with: .*\ncarryon: /);
    const [session] = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions;
    expect(session).toMatchObject({ title: "overloaded", messages: 1 });
  });

  // Seed 4: 3.5
  it("runs the commands of a chat", async () => {
    await using carryon = await openChatting(scenario);
    const input = "hello\n/title Greetings\n/save\n/model\n/model openai/gpt-5.6\n/quit\nnever said\n";
    const run = await carryon.call(["chat"], { input, env: { OPENAI_API_KEY: "sk-made-up" } });
    expect(run).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "The title is now “Greetings”.
      Session saved: session-00000000-000000-0001
      The model is anthropic/claude-sonnet-5-5.
      The model is now openai/gpt-5.6.
      Resume with: carryon chat --session session-00000000-000000-0001
      ",
        "stdout": "Understood.
      ",
      }
    `);
  });

  it("replaces an export with --force, finds the home by its sign, and saves nothing where nothing is", async () => {
    await using carryon = await openChatting(scenario);
    const input = "/save\nhello\n/export md ~/a b.md\n/export md ~/a b.md --force\n";
    const run = await carryon.call(["chat"], { input });
    expect(run).toMatchObject({
      ...{ code: 0, stderr: expect.stringMatching(/^There is nothing to save yet: .*\n/) },
    });
    expect(await readFile(join(carryon.folder, "a b.md"), "utf8")).toContain("hello");
  });

  // Seed 4: 5.2
  it("forks, compares, exports and resets, and keeps all of it", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat"], { input: "hello\n" });
    const [{ id }] = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions;
    const commands = ["/fork", "in the fork", `/diff ${id}`, "/export md my talk.md", "/reset", "/compact"];
    const run = await carryon.call(["chat", "--session", id], { input: commands.join("\n") });
    expect({ code: run.code, stderr: run.stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Restored 2 messages.
      Forked from session-00000000-000000-0001: this is session-00000000-000000-0002
      The model sees nothing of what was said before. \`carryon show session-00000000-000000-0002\` does.
      There is too little to summarise.
      Resume with: carryon chat --session session-00000000-000000-0002
      ",
      }
    `);
    expect(run.stdout).toMatch(/^Understood\.\n[\s\S]*in the fork/);
    const exported = await readFile(join(carryon.folder, "work", "my talk.md"), "utf8");
    expect(exported).toContain("in the fork");
    expect(await carryon.ask(["show", "latest"])).toContain("in the fork");
  });

  // Seed 4: 3.5
  it("changes to another session, and stays where there is no such one", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat", "--name", "First"], { input: "hello\n" });
    const run = await carryon.call(["chat"], { input: "begin\n/load First\ngo on\n" });
    expect({ code: run.code, stderr: run.stderr }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Restored 2 messages.
      Resume with: carryon chat --session session-00000000-000000-0001-first
      ",
      }
    `);
    const missing = await carryon.call(["chat"], { input: "begin again\n/load nowhere\n" });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("There is no session nowhere in this store.");
  });
});

describe("carryon chat refuses", () => {
  it("a session that there is not, and names those that are near", async () => {
    await using carryon = await openChatting(scenario);
    await carryon.call(["chat", "--name", "Geography"], { input: "hello\n" });
    const run = await carryon.call(["chat", "--session", "Geographie"], { input: "hello\n" });
    expect(run).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: There is no session Geographie in this store.
        Did you mean Geography?
      ",
        "stdout": "",
      }
    `);
  });

  it("a command that there is not, and suggests the nearest", async () => {
    await using carryon = await openChatting(scenario);
    const run = await carryon.call(["chat"], { input: "/sav\n" });
    expect(run).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: There is no command /sav.
        Did you mean /save? What is no command begins with two slashes.
      ",
        "stdout": "",
      }
    `);
  });

  it.each([
    { typed: "/export xyz a.md", says: 'There is no format "xyz".' },
    { typed: "/export md", says: "/export needs the name of a file." },
  ])("$typed", async ({ typed, says }) => {
    await using carryon = await openChatting(scenario);
    expect(await carryon.call(["chat"], { input: `hello\n${typed}\n` })).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining(says) },
    });
  });

  it.each([
    { case: "an interval that is none", args: ["--auto-save-interval", "often"] },
    { case: "a name for a session that has one", args: ["--session", "latest", "--name", "x"] },
    { case: "a file that is not there", args: ["--system", "@missing.md"] },
  ])("$case", async ({ args }) => {
    await using carryon = await openChatting(scenario);
    const { code, stdout, stderr } = await carryon.call(["chat", ...args], { input: "hello\n" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^carryon: /);
  });

  it("to begin without a key, and says which variable to set", async () => {
    await using carryon = await openChatting(scenario, { ANTHROPIC_API_KEY: "" });
    const run = await carryon.call(["chat"], { input: "hello\n" });
    expect(run).toMatchInlineSnapshot(`
      {
        "code": 3,
        "stderr": "carryon: There is no key for Anthropic: set ANTHROPIC_API_KEY.
        Or write it as \`models: anthropic: apiKey:\` into config.yaml, which nobody else may read.
      ",
        "stdout": "",
      }
    `);
  });

  // Seed 4: 5.5
  it("a session that another chat is in, with the command for a fork", async () => {
    await using carryon = await openChatting(scenario);
    const first = carryon.start(["chat"]);
    first.stdin.write("hello\n");
    await new Promise((resolve) => first.stdout.once("data", resolve));
    const run = await carryon.call(["chat", "--session", "latest"], { input: "hello\n" });
    first.stdin.end();
    await new Promise((resolve) => first.once("close", resolve));
    expect(run.code).toBe(4);
    expect(run.stderr).toMatch(/is being written by .*\n {2}Go on in a fork: `carryon fork session-/);
  });
});

describe("carryon chat that is ended from outside", () => {
  it("keeps what was said, and ends as the signal wants it", async () => {
    await using carryon = await openChatting(scenario);
    const child = carryon.start(["chat"]);
    const talk: string[] = [];
    child.stderr.on("data", (chunk) => talk.push(String(chunk)));
    child.stdin.write("hello\n");
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(143);
    expect(talk.join("")).toMatch(/^Resume with: carryon chat --session session-\S+\n$/);
    const [session] = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions;
    expect(session).toMatchObject({ messages: 2, status: "interrupted" });
  });
});

describe("the file of a session", () => {
  it("is a copy that goes on where the session is not known", async () => {
    await using carryon = await openChatting(scenario);
    await using elsewhere = await openChatting(scenario);
    const file = join(carryon.folder, "talk.jsonl");
    await carryon.call(["chat", "--session-file", file], { input: "What is the capital?\n" });
    const run = await elsewhere.call(["chat", "--session-file", file], { input: "And then?\n" });
    expect(run.stderr).toMatch(
      /^Restored 2 messages\.\nThe session of the file was not here yet\.\nResume with/,
    );
    const back = await carryon.call(["chat", "--session-file", file], { input: "Go on.\n" });
    expect(back.stderr).toMatch(/^Restored 4 messages\.\nThe file had more of the session than was here\.\n/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});
