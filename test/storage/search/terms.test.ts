import { describe, expect, it } from "vitest";
import { makeChunks } from "../../../src/storage/search/chunks.ts";
import { makeSnippet } from "../../../src/storage/search/make-snippet.ts";
import { parseQuery } from "../../../src/storage/search/parse-query.ts";
import { gapMark, scanTexts } from "../../../src/storage/search/scan-texts.ts";
import { listIdentifiers, listTerms } from "../../../src/storage/search/terms.ts";
import { longRuns } from "../../contract/hard-to-index.ts";

const termsOf = (text: string) => listTerms(text).map((term) => term.text);
const now = new Date("2026-11-15T12:00:00.000Z");

describe("terms", () => {
  it.each([
    ["foo_bar.baz() v2", ["foo", "bar", "baz", "v2"]],
    [
      "Café NAÏVE Straße Ὀδυσσεύς İstanbul ﬁne ＦＵＬＬ",
      ["cafe", "naive", "strasse", "οδυσσευσ", "istanbul", "fine", "full"],
    ],
    ["数据库的 index", ["数据", "据库", "库的", "的", "index"]],
    ["ｶﾞﾂ 한국어", ["ガツ", "ツ", "한국", "국어", "어"]],
    ["👍🏽 👩‍👩‍👧 🇩🇪 ©", ["👍", "👩", "👩", "👧", "🇩🇪", "©"]],
    ["so\u00ADft \u001b[31mred\u001b[0m x\0y \ud800z", ["soft", "red", "x", "y", "z"]],
    [`${"QUJD".repeat(200)} rest`, ["rest"]],
    ["\uE000\uE001user ﷺ ½", ["user", "صلى", "الله", "عليه", "وسلم", "1", "2"]],
  ])("of %j", (text, expected) => {
    expect(termsOf(text)).toEqual(expected);
  });

  it.each(longRuns)("of what stands beside a run of millions of %j", (unit) => {
    const terms = termsOf(`before ${unit.repeat(6_000_000 / unit.length)} after`);
    expect([terms[0], terms.at(-1)]).toEqual(["before", "after"]);
  });

  it("cuts a long word, and makes two that begin alike differ", () => {
    const [one, other] = termsOf(`${"x".repeat(100)}a ${"x".repeat(100)}b`);
    expect([one?.length, one === other]).toEqual([48, false]);
  });

  it("says where each stands in the text", () => {
    const text = "Ein 数据库 für fooBar";
    expect(listTerms(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...["Ein", "数据", "据库", "库", "für", "fooBar"],
    ]);
  });

  it("takes identifiers in mixed case apart, with what they are joined to", () => {
    const text = "see src/readEntries.ts, XMLHttp plain/path";
    const found = listIdentifiers(text, listTerms(text)).map((run) => run.map((term) => term.text).join(" "));
    expect(found).toEqual(["src read entries ts", "xml http"]);
  });
});

describe("chunks", () => {
  it("are small enough for every engine, and overlap", () => {
    const chunks = makeChunks([Array.from({ length: 9000 }, (_, index) => `w${index}`).join(" ")]);
    expect(chunks.map(({ length }) => length)).toEqual([4000, 4000, 1062]);
    expect(chunks[1]?.slice(0, 31)).toEqual(chunks[0]?.slice(-31));
  });

  it("hold no term more often than PostgreSQL keeps places of it", () => {
    const chunks = makeChunks(scanTexts(["again ".repeat(1000), "readEntries ".repeat(1000)]));
    const most = chunks.flatMap((chunk) =>
      [
        ...Map.groupBy(
          chunk.filter((each) => each !== gapMark),
          (term) => term,
        ).values(),
      ].map(({ length }) => length),
    );
    expect(Math.max(...most)).toBeLessThanOrEqual(250);
  });
});

describe("queries", () => {
  it("have filters, and what is none is plain text", () => {
    const query = parseQuery(
      'tool:Bash branch:"my branch" before:2026-11-01 after:7d role: x:y "a b" before:soon',
      now,
    );
    expect(query.filters).toEqual([
      { name: "tool", value: "Bash" },
      { name: "branch", value: "my branch" },
      { name: "before", value: "2026-11-01", moment: new Date("2026-11-01T00:00:00") },
      { name: "after", value: "7d", moment: new Date("2026-11-08T12:00:00.000Z") },
    ]);
    expect(query.items.map(([plain]) => plain?.terms)).toEqual([
      ["role"],
      ["x", "y"],
      ["a", "b"],
      ["before", "soon"],
    ]);
  });

  it("have moments of several words", () => {
    const query = parseQuery("the bug since:2 days ago until:yesterday until:last weekend", now);
    expect(query.filters).toEqual([
      { name: "after", value: "2 days ago", moment: new Date("2026-11-13T12:00:00.000Z") },
      { name: "before", value: "yesterday", moment: new Date("2026-11-14T00:00:00") },
    ]);
    expect(query.items.map(([plain]) => plain?.terms)).toEqual([
      ["the"],
      ["bug"],
      ["until", "last"],
      ["weekend"],
    ]);
  });

  it("count at most 64 things and phrases of 32 words", () => {
    const { items } = parseQuery(`"${"w ".repeat(100)}" ${"x ".repeat(100)}`, now);
    expect([items.length, items[0]?.[0]?.terms.length]).toEqual([64, 32]);
  });
});

describe("a snippet", () => {
  const show = (query: string, ...texts: string[]) =>
    makeSnippet({ items: parseQuery(query, now).items, need: "all" }, texts)
      .map(({ text, isMatch }) => (isMatch ? `»${text}«` : text))
      .join("");

  it("shows where most of the words stand, with each of them marked", () => {
    const text = `alpha ${"filler ".repeat(60)}and here alpha meets beta in the end`;
    expect(show("alpha beta", text)).toBe(
      "…filler filler filler filler filler filler filler and here »alpha« meets »beta« in the end",
    );
  });

  it("marks a part of a text without spaces, and tears no character apart", () => {
    expect(show("据", "数据库")).toBe("数»据«库");
    expect(show("𠮷", "𠮷野家 野𠮷")).toBe("»𠮷«野家 野»𠮷«");
    expect(show("野", "𠮷野家 野𠮷")).toBe("𠮷»野«家 »野«𠮷");
    expect(show("𩸽を", "𠮟る 𩸽を")).toBe("𠮟る »𩸽を«");
    expect(show("งาน", "ฉันทำงานที่บ้าน")).toBe("ฉันทำ»งาน«ที่บ้าน");
    expect(show("タ", "㌖タン")).toBe("㌖»タ«ン");
    expect(show("needle", `${"🚀".repeat(200)} needle ${"🚀".repeat(200)}`)).toMatch(
      /^…(🚀)+ »needle« (🚀)+…$/u,
    );
  });

  it("shows the beginning where there is no word to look for", () => {
    expect(show("", "", "x".repeat(300))).toBe(`${"x".repeat(200)}…`);
  });
});
