import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { markLines } from "../../src/cli/search/mark-matches.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { recordPrompt } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const lines = (...messages: readonly (readonly [role: string, text: string])[]) =>
  messages.map(([role, text]) => `${JSON.stringify({ role, text })}\n`).join("");

/** Records two sessions of this project. */
async function openRecorded() {
  const carryon = await openCarryon();
  const login = lines(
    ["user", "Please fix the login bug in src/auth/readToken.ts"],
    ["assistant", "The login lifetime was one hour.\u001b[31m Now it is 30 days."],
    ["user", "数据库连接失败 😀"],
  );
  await carryon.call(["append", "--title", "Login trouble"], { input: login });
  await carryon.call(["append", "--title", "Other"], { input: lines(["user", "Nothing about the bug"]) });
  return carryon;
}

const withoutIds = (text: string) => text.replace(/session-\d{8}-\d{6}-[a-z0-9]{4}/g, "SESSION");

describe("carryon search", () => {
  it("prints hits by session, what matched between signs, and how to read on", async () => {
    await using carryon = await openRecorded();
    const { code, stdout, stderr } = await carryon.call(["search", "login"]);
    expect([code, stderr, withoutIds(stdout)]).toMatchInlineSnapshot(`
      [
        0,
        "",
        "Login trouble
      SESSION-login-trouble · carryon-append
        #2 assistant · just now  carryon show SESSION --from 2
          user: Please fix the login bug in src/auth/readToken.ts
          The »login« lifetime was one hour.^[[31m Now it is 30 days.
          user: 数据库连接失败 😀
        #1 user · just now  carryon show SESSION --from 1
          Please fix the »login« bug in src/auth/readToken.ts
        title · just now
          »Login« trouble
      ",
      ]
    `);
    const wide = await carryon.call(["search", "连接"]);
    expect(wide.stdout).toContain("数据库»连接«失败 😀");
    expect(await carryon.call(["search", '"bug login"'])).toEqual({
      ...{ code: 0, stdout: "", stderr: "Nothing found. `--all` looks into all projects.\n" },
    });
    expect((await carryon.call(["search", "?!"])).stderr).toContain("There is no word to look for");
    const taken = await carryon.call(["search", "lo* Role:user after:soon role:boss role:user x:y log*"]);
    expect(taken.stderr.split("\n")).toEqual([
      "Nothing found. `--all` looks into all projects.",
      "lo* was taken as a whole word: a prefix needs 3 characters.",
      "Role:user was taken as text: a filter is written role:user.",
      "after:soon was taken as text: after: takes a day such as 2026-11-01, yesterday or monday, or how long ago, such as 7d.",
      "There is no role boss; the roles are user, title, assistant, summary, tool, event, round, other.",
      "",
    ]);
    const found = await carryon.call(["search", "login after:soon since:2 days ago"]);
    expect([found.stdout.includes("»login« bug"), found.stderr]).toEqual([
      true,
      `${taken.stderr.split("\n")[3]}\n`,
    ]);
    const option = await carryon.call(["search", "-login"]);
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining("`carryon search -- -word`")]);
    expect((await carryon.call(["search", "--", "-login"])).stdout).toContain("The »login« lifetime");
  });

  it("goes on where it ended", async () => {
    await using carryon = await openRecorded();
    const { stderr } = await carryon.call(["search", "bug", "--limit", "1"]);
    const [, cursor] = /--cursor (\S+)/.exec(stderr) ?? [];
    const next = await carryon.call(["search", "bug", "--limit", "1", "--cursor", cursor ?? ""]);
    expect([next.stdout.includes("login »bug«"), next.stderr]).toEqual([true, ""]);
    expect(await carryon.call(["search", "bug", "--cursor", "x"])).toMatchObject({ code: 2 });
    for (const limit of ["1001", "99999999999"]) {
      const { code, stderr } = await carryon.call(["search", "bug", "--limit", limit]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`"${limit}" is not a number from 1 to 1000.`),
      ]);
    }
    expect(await carryon.call(["search", "bug", "--limit", "1000"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("answers in JSON, newest first or by relevance, also where nothing was recorded", async () => {
    await using carryon = await openCarryon();
    const none = { hits: [], groups: [], terms: [], notes: [], scanned: 0, next: null };
    expect(JSON.parse((await carryon.call(["search", "x", "--json"])).stdout)).toEqual(none);
    await using recorded = await openRecorded();
    const ask = async (...args: readonly string[]) =>
      JSON.parse((await recorded.call(["search", ...args, "--json"])).stdout);
    const { hits } = await ask("login", "fix", "--exact");
    expect(hits).toMatchObject([
      { seq: 1, kind: "user", role: "user", strand: "main", title: "Login trouble", score: 0 },
    ]);
    expect(hits[0].snippet).toBe("Please »fix« the »login« bug in src/auth/readToken.ts");
    expect(hits[0].matches).toEqual(["fix", "login"]);
    const best = (await ask("login", "--exact", "--sort", "relevance")).hits;
    expect(best.map(({ seq, kind }: { seq: number; kind: string }) => [seq, kind])).toEqual([
      [2, "assistant"],
      [1, "user"],
      [0, "title"],
    ]);
    const answered = await ask("which", "file", "had", "bugs", "at", "logins?");
    expect(answered.hits.map(({ seq, title }: { seq: number; title: string }) => [title, seq])).toEqual([
      ["Login trouble", 1],
      ["Login trouble", 2],
      ["Other", 1],
      ["Login trouble", 0],
    ]);
    expect(answered.groups).toMatchObject([
      {
        ...{ title: "Login trouble", seqs: [1, 2, 0] },
        best: { seq: 1, before: null, after: expect.stringMatching(/^assistant: The login lifetime/) },
      },
      { title: "Other", seqs: [1], best: { seq: 1, before: null, after: null } },
    ]);
    expect((await ask("login", "before:soon")).notes).toEqual([
      expect.stringContaining("before:soon was taken"),
    ]);
    const newest = await ask("login", "--newest");
    expect(newest.hits.map(({ seq }: { seq: number }) => seq)).toEqual([2, 1, 0]);
  });

  it("finds a session by a line of its digest, although no entry has all words", async () => {
    await using carryon = await openCarryon();
    const asked = "Rework the session store of the shop";
    const found = "I dropped Redis because it took too long.";
    await carryon.call(["append", "--title", "A"], { input: lines(["user", asked], ["assistant", found]) });
    const other = "The store of the shop, and which session it was";
    await carryon.call(["append", "--title", "B"], {
      input: lines(
        ["user", other],
        ["assistant", "The logs of Redis have nothing new, as far as I can see from here"],
        ["user", "Who dropped it into the basket of that customer of ours?"],
      ),
    });
    /** The answer, and the best of the other session, in their order. */
    const compare = async () => {
      const question = "was redis dropped from the session store of the shop?";
      const { stdout } = await carryon.call(["search", question, "--json"]);
      const hits: readonly { title: string; seq: number }[] = JSON.parse(stdout).hits;
      return hits.map(({ title, seq }) => `${title}${seq}`).filter((hit) => hit === "A2" || hit === "B1");
    };
    expect(await compare()).toEqual(["A2", "B1"]);
    expect((await carryon.call(["digest", "A", "--wrong", "dropped Redis"])).code).toBe(0);
    expect(await compare()).toEqual(["B1", "A2"]);
  });

  it("looks into this project, into one session, or everywhere", async () => {
    await using carryon = await openRecorded();
    const other = join(carryon.folder, "other");
    await mkdir(other);
    const seqs = async (cwd: string, ...args: readonly string[]) => {
      const { stdout } = await carryon.call(["search", "bug", ...args, "--json"], { cwd });
      return JSON.parse(stdout).hits.length;
    };
    const here = join(carryon.folder, "work");
    expect([
      await seqs(here),
      await seqs(other),
      await seqs(other, "--all"),
      await seqs(other, "--project", "work"),
      await seqs(here, "--session", "Login trouble"),
      await seqs(here, "project:nowhere"),
    ]).toEqual([2, 0, 2, 2, 1, 0]);
  });
});

describe("hits on a terminal", () => {
  it("have the command that shows them on a line of its own where there is no room for it", async () => {
    await using carryon = await openRecorded();
    const { env, folder } = carryon;
    const on = async (columns: number) => {
      const context = testContext(join(folder, "work"), { env, userHome: folder, columns });
      await runCli(["search", "lifetime"], context);
      return withoutIds(context.said.out);
    };
    expect(await on(100)).toContain("#2 assistant · just now  carryon show SESSION --from 2\n");
    expect(await on(60)).toContain("#2 assistant · just now\n    carryon show SESSION --from 2\n");
  });
});

describe("a snippet on a terminal", () => {
  const snippet = [
    { text: "before the\n", isMatch: false },
    { text: "数据库 needle", isMatch: true },
    { text: " and much more text that has to go on another line", isMatch: false },
  ];

  it("is broken into lines that fit, with what matched in colour on each", () => {
    const style = makeStyle({ colors: true });
    const lines = markLines(snippet, { width: 22, style, indent: "  ", most: 3 });
    const mark = (text: string) => style.bold(style.yellow(text));
    expect(lines).toEqual([
      `  before the ${mark("数据库")}`,
      `  ${mark("needle")} and much`,
      "  more text that has…",
    ]);
  });

  it("has signs where there are no colours", () => {
    const style = makeStyle({ colors: false });
    const all = markLines(snippet, { width: Number.POSITIVE_INFINITY, style, indent: "", most: 3 });
    expect(all).toEqual(["before the »数据库 needle« and much more text that has to go on another line"]);
  });
});

describe("what was said", () => {
  it("is shown in its session, with what stands around and what matched marked", async () => {
    await using carryon = await openRecorded();
    const { stdout } = await carryon.call(["show", "Login trouble", "--find", "lifetime"]);
    expect(stdout).toContain("  The login »lifetime« was one hour.");
    expect(stdout).toContain("user #1");
    const json = await carryon.call(["show", "Login trouble", "--find", "lifetime", "--json"]);
    expect(JSON.parse(json.stdout).entries.map(({ seq }: { seq: number }) => seq)).toEqual([2]);
    const filtered = await carryon.call(["show", "Login trouble", "--find", "role:assistant"]);
    expect(filtered.stdout.split("The login lifetime was one hour.")).toHaveLength(2);
    const none = await carryon.call(["show", "Login trouble", "--find", "lifetime", "--from", "3"]);
    expect([none.code, none.stderr]).toEqual([0, "Nothing of that is in this session.\n"]);
  });

  it("is shown below a result that is shortened", async () => {
    await using carryon = await openCarryon();
    const output = `${"filler line\n".repeat(50)}the needle stands here`;
    const entry = { role: "tool", parts: [{ type: "tool-result", call: "1", output }] };
    await carryon.call(["append", "--title", "Long"], {
      input: `${JSON.stringify({ kind: "message", ...entry })}\n`,
    });
    const { stdout } = await carryon.call(["show", "Long", "--find", "needle"]);
    expect(stdout).toMatch(/… 41 more lines, .*\n {4}….*the »needle« stands here\n/);
  });

  it("finds sessions", async () => {
    await using carryon = await openRecorded();
    const titlesIn = async (cwd: string, ...args: readonly string[]) => {
      const { stdout } = await carryon.call(["sessions", "--grep", ...args, "--json"], { cwd });
      return JSON.parse(stdout).sessions.map(({ title }: { title: string }) => title);
    };
    const titles = (...args: readonly string[]) => titlesIn(join(carryon.folder, "work"), ...args);
    expect(await titles("bug")).toEqual(["Other", "Login trouble"]);
    expect(await titles("bug", "--limit", "1")).toEqual(["Other"]);
    expect(await titles("bug readToken")).toEqual(["Login trouble"]);
    expect(await titles("bug", "--client", "codex")).toEqual([]);
    const other = join(carryon.folder, "other");
    await mkdir(other);
    await carryon.call(["append", "--title", "Elsewhere"], {
      input: lines(["user", "A beetle"]),
      cwd: other,
    });
    expect(await titlesIn(other, "bug")).toEqual([]);
    expect(await titlesIn(other, "bug project:work")).toEqual(["Other", "Login trouble"]);
    expect((await carryon.call(["sessions", "--grep", "nowhere"])).stderr).toBe("No session has that.\n");
  });

  it("is in the index after many messages were appended, and after an import", async () => {
    await using carryon = await openCarryon();
    const many = Array.from({ length: 2500 }, (_, index) => ["user", `message ${index}`] as const);
    await carryon.call(["append"], { input: lines(...many) });
    const indexIn = async (env: Readonly<Record<string, string>> = {}) =>
      JSON.parse((await carryon.call(["doctor", "--json"], { env })).stdout).search;
    expect((await indexIn()).behind).toBeLessThan(600);
    await carryon.call(["export", "latest", "--output", "talk.jsonl"]);
    const env = { CARRYON_HOME: join(carryon.folder, "elsewhere") };
    await carryon.call(["import", "talk.jsonl"], { env });
    expect(await indexIn(env)).toMatchObject({ documents: 2500, behind: 0 });
  });

  it("is in the index after a sync", async () => {
    await using carryon = await openCarryon();
    await recordPrompt(carryon, "11111111-1111-4111-8111-111111111111", "a prompt with marmalade");
    const { documents, behind } = JSON.parse((await carryon.call(["doctor", "--json"])).stdout).search;
    expect([documents, behind]).toEqual([1, 0]);
  });

  it("can be indexed anew, and doctor tells how large the index is", async () => {
    await using carryon = await openRecorded();
    const before = JSON.parse((await carryon.call(["doctor", "--json"])).stdout).search;
    expect(before).toMatchObject({ documents: 0, behind: 6 });
    const { code, stdout, stderr } = await carryon.call(["doctor", "--reindex", "--json"]);
    expect([code, stderr]).toEqual([0, "The search index is made anew: 6 entries.\n"]);
    expect(JSON.parse(stdout).search).toMatchObject({ documents: 6, behind: 0 });
    expect((await carryon.call(["doctor"])).stdout).toMatch(/\nSearch {3}[\d.]+ kB\n/);
  });

  it("is indexed anew together with the digests: none of them counts any more", async () => {
    await using carryon = await openRecorded();
    await using store = await openStore(join(carryon.folder, "home"));
    const { sessions } = await store.log.list();
    const ids = sessions.map(({ id }) => id);
    const digests = ids.map((session) => ({ session, version: 1, seq: 1, body: "{}" }));
    await store.digests.keep(digests, (await store.digests.read([])).asOf);
    expect((await store.digests.read(ids)).digests).toHaveLength(ids.length);
    await carryon.call(["doctor", "--reindex"]);
    expect((await store.digests.read(ids)).digests).toEqual([]);
  });
});
