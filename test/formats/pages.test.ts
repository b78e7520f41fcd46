import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { markdownToHtml } from "../../src/formats/html/markdown-to-html.ts";
import { containMarkdown } from "../../src/formats/markdown/render-markdown.ts";
import { escapeHtml } from "../../src/lib/escape-html.ts";
import type { NewEntry, Part } from "../../src/sessions/entry.ts";
import { parseEntryId } from "../../src/sessions/ids.ts";
import { newSession, said, start } from "../support/entries.ts";
import { exportAll } from "../support/exchange.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const attack = `<script>alert(1)</script> <img src=x onerror=alert(1)> "'& \u202e\u001b[31m`;

function message(id: string, role: "user" | "assistant" | "tool", ...parts: readonly Part[]): NewEntry {
  const { at } = said(id, "");
  return { id: parseEntryId(id), at, kind: "message", role, parts };
}

const talk: readonly NewEntry[] = [
  message("a", "user", { type: "text", text: attack }),
  message(
    "b",
    "assistant",
    { type: "thinking", text: attack },
    {
      type: "text",
      text: `Look:\n\n\`\`\`ts\nconst a = "<b>";\n\`\`\`\n\n\`\`\`${attack.slice(0, 20)}\n${attack}\n\`\`\``,
    },
    { type: "tool-call", call: "1", name: attack, input: { command: `echo ${attack}` } },
    {
      type: "tool-call",
      call: "2",
      name: "Edit",
      input: { file_path: "a.ts", old_string: "1", new_string: "2" },
    },
  ),
  message("c", "tool", {
    type: "tool-result",
    call: "1",
    output: `</code></pre></details>${attack}`,
    failed: true,
  }),
  { ...said("d", ""), kind: "event", event: attack, data: { x: attack } },
  { ...said("e", ""), kind: "summary", text: attack, replaces: null },
  {
    ...{ id: parseEntryId("g"), at: start, kind: "message", role: "assistant", interrupted: true },
    parts: [{ type: "text", text: "I beg" }],
  },
  { ...said("f", ""), kind: "other", raw: { kind: "odd", text: attack } },
];

async function exportTalk(format: "md" | "html"): Promise<string> {
  await using test = await openSqliteTestLog();
  const session = newSession("one", test.project, { title: attack, branch: attack });
  await test.log.open(session, talk);
  return await exportAll(test, format);
}

describe("a page", () => {
  it("needs no script, allows nothing but its own style, and holds all text as text", async () => {
    const page = await exportTalk("html");
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">`,
    );
    const tags = new Set([...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
    expect([...tags].toSorted()).toEqual(
      [
        ...[
          "article",
          "b",
          "body",
          "code",
          "dd",
          "details",
          "dl",
          "dt",
          "footer",
          "h1",
          "h2",
          "head",
          "header",
        ],
        ...["html", "main", "meta", "p", "pre", "section", "span", "style", "summary", "time", "title"],
      ].toSorted(),
    );
    expect(page.match(/<[^>]* on[a-z]+=/g)).toBeNull();
    for (const hidden of ["\u202e", "\u001b"]) expect(page).not.toContain(hidden);
    expect(page.split("&lt;U+202E&gt;").length).toBeGreaterThan(8);
  });

  it("folds calls, results and thoughts, marks failures, and colours code", async () => {
    const page = await exportTalk("html");
    expect(page.match(/<details/g)?.length).toBe(6);
    expect(page).toContain('<details class="failed"><summary><b>Failed</b>');
    expect(page).toContain(
      '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&quot;&lt;b&gt;&quot;</span>;',
    );
    expect(page).toContain('<span class="hljs-deletion">-1</span>');
  });

  it.each(["html", "md"] as const)("says of a message in %s that it was cut off", async (format) => {
    expect(await exportTalk(format)).toMatch(/I beg[^\n]*\n*.*It was cut off here\./);
  });

  it("lists several sessions at its beginning", async () => {
    await using test = await openSqliteTestLog();
    await test.log.open(newSession("one", test.project, { title: "First" }));
    await test.log.open(newSession("two", test.project, { title: "Second" }));
    const page = await exportAll(test, "html");
    expect(page).toMatch(/<nav aria-label="Sessions"><ol><li><a href="#s1" dir="auto">\w+<\/a>/);
    expect(page.match(/<section id="s\d">/g)).toEqual(['<section id="s1">', '<section id="s2">']);
  });

  it.each([
    [
      "[a](https://x.y?a=1&b)",
      '<p dir="auto"><a href="https://x.y?a=1&amp;b" rel="noopener noreferrer nofollow">a</a></p>',
    ],
    ["[a](javascript:alert(1))", '<p dir="auto">a <code>javascript:alert(1)</code></p>'],
    ["![x](https://tracker)", '<p dir="auto"><span class="file">[image x]</span></p>'],
    ["a <b>c</b>", '<p dir="auto">a &lt;b&gt;c&lt;/b&gt;</p>'],
    ["# H", '<h3 dir="auto">H</h3>'],
    ["3. a\n4. b", '<ol start="3"><li><p dir="auto">a</p></li><li><p dir="auto">b</p></li></ol>'],
    [
      "| a | b |\n|---|:-:|\n| `<i>` | **2** |",
      '<div class="table"><table><thead><tr><th dir="auto">a</th><th dir="auto">b</th></tr></thead><tbody><tr><td dir="auto"><code>&lt;i&gt;</code></td><td dir="auto"><strong>2</strong></td></tr></tbody></table></div>',
    ],
    ['```"><script>\nx\n```', '<pre tabindex="0"><code>x</code></pre>'],
  ])("renders Markdown without trusting it: %j", (text, html) => {
    expect(markdownToHtml(text)).toBe(html);
  });

  it.each([
    ["too long", "\n".repeat(6_000_000)],
    ["quoted too deeply", `a\n${">".repeat(50_000)}`],
    ["a list in too many lists", "- ".repeat(40_000)],
  ])("shows Markdown as it was written that is %s", (_, text) => {
    expect(markdownToHtml(text) === `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`).toBe(true);
  });
});

describe("a document in Markdown", () => {
  it("folds what a page folds, and shows tags instead of having them", async () => {
    const document = await exportTalk("md");
    expect(document.match(/^<details>$/gm)?.length).toBe(6);
    const outside = document.replace(/^(`{3,}).*?^\1$/gms, "");
    const tags = new Set([...outside.matchAll(/(?<!\\)<\/?([a-z!][a-z]*)/gi)].map(([, name]) => name));
    expect([...tags]).toEqual(["details", "summary", "b"]);
    for (const hidden of ["\u202e", "\u001b"]) expect(document).not.toContain(hidden);
  });

  it.each([
    ["a <b>c</b>", "a &lt;b>c&lt;/b>"],
    ["`<b>`", "`<b>`"],
    ["```\nopen", "```\nopen\n```"],
    ["~~~~ts\nopen\n~~~", "~~~~ts\nopen\n~~~\n~~~~"],
    ["```\nclosed\n```", "```\nclosed\n```"],
    ["<!-- open", "&lt;!-- open"],
  ])("contains what was said: %j", (text, contained) => {
    expect(containMarkdown(text)).toBe(contained);
  });
});
