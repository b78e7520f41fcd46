import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";
import { hostile, recordTwoWays, type TwoWays } from "../support/two-ways.ts";

/** What the hostile text has that must never be printed. */
const hidden = ["\u001b", "\u202e", "\u200b"];

describe("diff", () => {
  let carryon: Carryon;
  let ways: TwoWays;
  beforeAll(async () => {
    carryon = await openCarryon();
    ways = await recordTwoWays(carryon);
  });
  afterAll(() => carryon[Symbol.asyncDispose]());

  const on = async (columns: number, args: readonly string[], colors = false) => {
    const { env, folder } = carryon;
    const style = makeStyle({ colors });
    const context = testContext(join(folder, "work"), { env, userHome: folder, columns, style });
    expect(await runCli(["diff", ...args], context)).toBe(0);
    return context.said.out;
  };

  it("tells what two forks share, what each did, and both in figures", async () => {
    const { stdout, stderr } = await carryon.call(["diff", ways.origin, ways.fork]);
    expect(stderr).toBe("");
    // How long it takes to record them is not the same in every run.
    expect(stdout.replace(/(?<=duration +)\d.*/, "…")).toMatchInlineSnapshot(`
      "A  The login
      session-00000000-000000-0001-the-login
      carryon-append · work · ended · 7 messages · <day> <clock>

      B  Try tokens
      session-00000000-000000-0002-try-tokens
      carryon-append · work · ended · 6 messages · <day> <clock>

      2 entries shared, until <day> <clock>

      A
      user #4 · <clock>
        With a cookie
      assistant #5 · <clock>
        line 1
        line 2
        line 3
        line 4
        line 5
        line 6
        line 7
        line 8
        … 6 more lines
        → Edit  src/login.ts
        ✗ Bash  npm test
          Exit code 1: 1 failed
        → decide  How to log in

      B
      user #3 · <clock>
        With tokens, トークンで
      assistant #4 · <clock>
        → Write  src/login.ts
        → Read  a.ts
        → decide  How to log in
        ? Bash  ls

      ═ 1 entry, the same in both
      user #7 · <clock>
        Thanks

      A
      user #8 · <clock>
        </p><script>alert("x")</script><img src=x onerror='y'> ^[[31mred <U+202E>txt &amp; <U+200B>
      checkpoint #9 · <clock>
        {"blocker":{"description":"red tests"}}
      api-error #10 · <clock>
        529


                     A                                          B
      entries        10                                         6
      messages       3 user, 1 assistant, 1 tool                2 user, 1 assistant, 1 tool
      tool calls     3 (1 failed)                               4
      tools          Edit ×1, Bash ×1, decide ×1                Write ×1, Read ×1, decide ×1, Bash ×1
      files changed  1                                          1
      files read     –                                          1
      commands       1                                          1
      decisions      1                                          1
      tokens         1,200 in, 80 out; cache 5 read, 1 written  –
      duration       …
      models         model-x                                    –
      errors         1                                          –
      checkpoints    1                                          –
      blockers       red tests                                  –

      Files changed
        both changed src/login.ts

      Decisions
        A  D1 How to log in: cookies
        B  D2 How to log in: tokens
      "
    `);
  });

  it("compares a fork with its origin when it is named alone", async () => {
    const whole = await carryon.call(["diff", ways.origin, ways.fork]);
    expect(await carryon.call(["diff", ways.fork])).toEqual(whole);
    expect((await carryon.call(["diff", ways.origin])).stderr).toMatchInlineSnapshot(`
      "carryon: Session session-00000000-000000-0001-the-login is no fork and no replay, so that there is nothing to compare it with.
        Name a second session, or compare its paths with \`carryon diff session-00000000-000000-0001-the-login --paths\`
      "
    `);
  });

  it.each([60, 80, 99, 100, 120, 200])(
    "fits %i columns, and stands beside each other from 100 on",
    async (columns) => {
      for (const more of [[], ["--full"]]) {
        const lines = (await on(columns, [ways.fork, ...more])).split("\n");
        expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(columns);
        expect(lines.some((line) => line.includes("│"))).toBe(columns >= 100);
      }
    },
  );

  it("puts both sides on one line, with what is in columns of two counted as two", async () => {
    const lines = (await on(110, [ways.fork])).split("\n");
    const beside = lines.filter((line) => line.includes("│"));
    expect(new Set(beside.map((line) => textWidth(line.slice(0, line.indexOf("│"))))).size).toBe(1);
    expect(beside.find((line) => line.includes("With a cookie"))).toContain("トークンで");
  });

  it("folds long texts with a count, and unfolds them with --full", async () => {
    const [folded, full] = [await on(80, [ways.fork]), await on(80, [ways.fork, "--full"])];
    expect(folded).toContain("… 6 more lines");
    expect(folded).not.toContain("line 14");
    expect(full).toContain("line 14");
    expect(full).not.toContain("more lines");
  });

  it("closes every colour that it opens, and lets no recorded text act on the terminal", async () => {
    const coloured = await on(120, [ways.fork], true);
    const count = (codes: string) => [...coloured.matchAll(new RegExp(`\u001b\\[(?:${codes})m`, "g"))].length;
    expect(count("1|2|3[0-7]")).toBeGreaterThan(20);
    expect(count("1|2|3[0-7]")).toBe(count("22|39"));
    const plain = await on(120, [ways.fork, "--full"]);
    expect(hidden.filter((character) => plain.includes(character))).toEqual([]);
    expect(plain).toContain("^[[31mred <U+202E>txt");
  });

  it("compares strands, paths and what was typed with a colon, and refuses what is not there", async () => {
    const talk = [
      { id: "i1", role: "user", text: "Task", strand: "instructor" },
      { id: "w1", role: "user", text: "Task", strand: "worker" },
      { id: "w2", role: "assistant", text: "Done", strand: "worker" },
      { id: "m1", role: "user", text: "root" },
      { id: "m2", role: "user", text: "one way" },
      { id: "m3", role: "user", text: "other way", parent: "m1" },
      { id: "m4", role: "user", text: "third way", parent: "m1" },
    ];
    const [first = ""] = (await carryon.ask(["append", "--title", "fix: all"], talk)).split("\n");
    const { session } = JSON.parse(first);
    const items = async (...args: readonly string[]) => {
      const { left, right, shared } = JSON.parse(await carryon.ask(["diff", ...args, "--json"]));
      const texts = (side: { items: readonly { text: string }[] }) => side.items.map((item) => item.text);
      return [shared.by, shared.entries, texts(left), texts(right)];
    };
    expect(await items("fix: all:instructor", `${session}:worker`)).toEqual(["content", 1, [], ["Done"]]);
    expect(await items(`${session}@5`)).toEqual(["entries", 1, ["third way"], ["one way"]]);
    expect(await items(`${session}@5`, `${session}@6`)).toEqual(["entries", 1, ["one way"], ["other way"]]);
    const paths = await carryon.call(["diff", session, "--paths", "--json"]);
    expect(JSON.parse(paths.stdout).right.end).toBe(6);
    expect(paths.stderr).toMatchInlineSnapshot(`
      "Session session-00000000-000000-0003-fix-all has 2 side paths; this is the newest of them.
        session-00000000-000000-0003-fix-all@5  1 entry from #4 on, <day> <clock> – <clock>
        session-00000000-000000-0003-fix-all@6  1 entry from #4 on, <day> <clock> – <clock>
      "
    `);
    for (const [args, code] of [
      [[session, session], "same-session"],
      [[`${session}:nobody`, ways.fork], "has no entries on the strand"],
      [[`${session}@99`, ways.fork], "There is no entry 99"],
      [[ways.fork, "--paths"], "has no side path"],
      [[ways.fork, "--html", "--json"], "cannot be used with"],
    ] as const) {
      const { code: exit, stderr } = await carryon.call(["diff", ...args]);
      expect([exit, stderr.includes(code) || stderr.includes("Both are the same session")]).toEqual([
        2,
        true,
      ]);
    }
  });

  it("attributes a decision that was written down meanwhile to the side that was at it", async () => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const [first = ""] = (await carryon.ask(["append"], [{ role: "user", text: "base", at: at(-60) }])).split(
      "\n",
    );
    const origin = JSON.parse(first).session;
    const fork = (await carryon.ask(["fork", origin])).trim();
    await carryon.ask(
      ["append", "--session", fork],
      [
        { role: "user", text: "begin", at: at(-50) },
        { role: "user", text: "end", at: at(60) },
      ],
    );
    const fields = ["--context", "c", "--decision", "d", "--reason", "r", "--impact", "i"];
    const number = (await carryon.ask(["decide", "user-decision", "Meanwhile", ...fields])).trim();
    const { right } = JSON.parse(await carryon.ask(["diff", fork, "--json"]));
    expect(right.own.decisions).toEqual([
      { seq: Number(number.slice(1)), summary: "Meanwhile", decision: "d", by: "time" },
    ]);
  });
});

describe("diff of what is not whole", () => {
  it("says that the origin of a fork is gone, and names no other session", async () => {
    await using carryon = await openCarryon();
    const { origin, fork } = await recordTwoWays(carryon);
    await carryon.ask(["delete", origin, "--yes"]);
    expect(await carryon.call(["diff", fork])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Session session-00000000-000000-0001-try-tokens comes from session-00000000-000000-0002-the-login, which is not in this store.
        It was deleted, or never came here. Name what to compare with: \`carryon diff OTHER session-00000000-000000-0001-try-tokens\`
      ",
        "stdout": "",
      }
    `);
  });

  it("tells the thoughts of an entry that has nothing else, and one message that both say", async () => {
    await using carryon = await openCarryon();
    const thought = {
      kind: "message",
      role: "assistant",
      parts: [{ type: "thinking", text: "Is it a <b>cookie</b>?" }],
    };
    const begin = async (...more: readonly object[]): Promise<string> => {
      const [first = ""] = (await carryon.ask(["append"], [{ role: "user", text: "Hi" }, ...more])).split(
        "\n",
      );
      return JSON.parse(first).session;
    };
    const sides = [await begin(), await begin(thought)];
    const { stdout } = await carryon.call(["diff", ...sides]);
    expect(stdout).toContain("\n1 message at the beginning says the same");
    expect(stdout).toMatch(/assistant #2 · .*\n {2}thinking: Is it a <b>cookie<\/b>\?\n/);
    const page = await carryon.ask(["diff", ...sides, "--html"]);
    expect(page).toContain('<p class="text">thinking: Is it a &lt;b&gt;cookie&lt;/b&gt;?</p>');
    // A side that has nothing there is no mark, and no word is wider than the page.
    expect(page).toContain('<div class="column a"></div>');
    expect(page).toMatch(/\.column:empty { border-left-color: transparent; }/);
    expect(page).toMatch(/summary {[^}]*overflow-wrap: anywhere/);
  });
});

describe("diff --html", () => {
  it("writes one page that needs nothing else, in which recorded text is only text", async () => {
    await using carryon = await openCarryon();
    const { fork } = await recordTwoWays(carryon);
    const page = await carryon.ask(["diff", fork, "--html"]);
    expect(page.match(/<(?:script|img|link|iframe|object|form|base|a)\b/g)).toBeNull();
    const tags = page.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => / (?:on\w+|src|href|style)=/.test(tag))).toEqual([]);
    expect(page).toContain("&lt;/p&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
    expect(hidden.filter((character) => page.includes(character))).toEqual([]);
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(style))).toString("base64");
    expect(page).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    const opened = [...page.matchAll(/<(article|section|details|summary|ul|li|table|div|p)\b/g)].map(
      ([, name]) => name,
    );
    const closed = [...page.matchAll(/<\/(article|section|details|summary|ul|li|table|div|p)>/g)].map(
      ([, name]) => name,
    );
    const byName = (one = "", other = "") => one.localeCompare(other);
    expect(opened.toSorted(byName)).toEqual(closed.toSorted(byName));
    expect(page).toContain(
      '<li class="both"><span class="tag">both changed</span><code>src/login.ts</code></li>',
    );
    expect(hostile).toContain("<script>");
  });

  it("writes a file for its owner alone, again over its own page, and never over another file", async () => {
    await using carryon = await openCarryon();
    const { fork } = await recordTwoWays(carryon);
    const path = join(carryon.folder, "work", "d.html");
    for (const _ of [1, 2]) {
      expect(await carryon.call(["diff", fork, "--html", "d.html"])).toMatchInlineSnapshot(`
        {
          "code": 0,
          "stderr": "Written to <folder>/work/d.html
        ",
          "stdout": "",
        }
      `);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    }
    await writeFile(join(carryon.folder, "work", "mine.html"), "mine");
    const { code, stderr } = await carryon.call(["diff", fork, "--html", "mine.html"]);
    expect([code, stderr]).toMatchInlineSnapshot(`
      [
        4,
        "carryon: <folder>/work/mine.html is there already, and is no page of carryon diff.
        Choose another name.
      ",
      ]
    `);
  });
});
