import { describe, expect, it } from "vitest";
import { line } from "../../src/digest/line.ts";
import type { Section, SectionName } from "../../src/digest/sections.ts";
import { fitSections } from "../../src/memory/fit-sections.ts";

const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

function section(name: SectionName, ...texts: readonly string[]): Section {
  return { name, title: name, lines: texts.map((text) => line(text, [])) };
}

/** So many words, different for each name. */
const words = (name: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${name}${index}`).join(" ");

function showOf(sections: readonly Section[], room: number): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    fitSections(sections, room, countWords).map(({ title, lines }) => [title, lines]),
  );
}

describe("fitSections", () => {
  it("shows everything where there is room", () => {
    const sections = [section("Goal", "Add a discount"), section("State", "Branch: main", "Now: clean")];
    expect(showOf(sections, 100)).toEqual({
      Goal: ["Add a discount"],
      State: ["Branch: main", "Now: clean"],
    });
  });

  it("gives what short sections leave to the long ones, and lets none crowd out another", () => {
    const long = [words("u", 200), words("v", 200)];
    const shown = showOf(
      [section("State", "Branch: main"), section("User", ...long), section("Goal", words("g", 300))],
      120,
    );
    expect(shown.State).toEqual(["Branch: main"]);
    const sizes = [shown.User ?? [], shown.Goal ?? []].map((lines) => countWords(lines.join(" ")));
    expect(sizes.map((size) => size > 25)).toEqual([true, true]);
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(120);
  });

  it("leaves out the least important section rather than showing a scrap of it", () => {
    const sections = (["Open", "State", "User", "Agents"] as const).map((name) =>
      section(name, words(name, 200)),
    );
    expect(Object.keys(showOf(sections, 150))).toEqual(["Open", "State", "User"]);
  });

  it("takes the lines that matter most, in the order in which they are read", () => {
    const lines = [line(words("a", 25), [], 1), line(words("b", 25), [], 3), line(words("c", 25), [], 2)];
    expect(showOf([{ name: "User", title: "User", lines }], 62)).toEqual({
      User: [words("b", 25), words("c", 25)],
    });
  });

  it("shows paths on one line, as many as fit when their folder is named once", () => {
    const paths = ["src/shop/a.ts", "src/shop/b.ts", "src/shop/c.ts"];
    const edited: Section = {
      ...{ name: "Edited", title: "Edited", arePaths: true },
      lines: paths.map((path, index) => line(path, [], -index)),
    };
    const countLetters = (text: string): number => text.length;
    expect(fitSections([edited], 34, countLetters)).toEqual([
      { title: "Edited", lines: ["src/shop/{a.ts, b.ts}"] },
    ]);
    expect(fitSections([edited], 80, countLetters)[0]?.lines).toEqual(["src/shop/{a.ts, b.ts, c.ts}"]);
  });

  it("shows a short last answer whole, and a long one without its middle", () => {
    expect(showOf([section("Answer", "Done.")], 30)).toEqual({ Answer: ["Done."] });
    const answer = `It works now. ${words("m", 60)}. Shall I push?`;
    expect(showOf([section("Answer", answer)], 40).Answer?.[0]).toMatch(
      /^It works now\. m0 .*… Shall I push\?$/,
    );
  });

  it("says nothing twice: the first request of interrupted work is its last as well", () => {
    const sections = [section("Open", 'Last request: "Add a discount"'), section("Goal", "Add a discount")];
    expect(showOf(sections, 60)).toEqual({ Open: ['Last request: "Add a discount"'] });
  });

  it("does not repeat a finding that the last answer has, shown or cut", () => {
    const finding = "The total is rounded twice, because the invoice does it again.";
    const answer = `${words("x", 80)}. ${finding} ${words("y", 80)}.`;
    const sections = [section("Answer", answer), section("Findings", finding, "The tax must come first.")];
    expect(showOf(sections, 90).Findings).toEqual(["The tax must come first."]);
  });
});
