import { describe, expect, it } from "vitest";
import { shorten } from "../../src/digest/shorten.ts";

describe("shorten", () => {
  const request =
    "The import is slow on large files. It reads the whole file first. We saw that last week with the export of March. Measure it before you change it. Never touch the parser.";

  it("leaves a text alone that fits", () => {
    expect(shorten(request, 400)).toBe(request);
  });

  it("keeps the first sentence, the last one and rules, and says where something is missing", () => {
    expect(shorten(request, 60)).toBe("The import is slow on large files. … Never touch the parser.");
    expect(shorten(request, 98)).toBe(
      "The import is slow on large files. It reads the whole file first. … Never touch the parser.",
    );
    expect(shorten("First. Second one. Do not push it. Fourth one here. Last one.", 34)).toBe(
      "First. … Do not push it. … Last one.",
    );
  });

  it("knows where a sentence of Chinese or Japanese ends", () => {
    expect(shorten("予約を直しました。テストも追加しました。明日続けます。", 18)).toBe(
      "予約を直しました。 … 明日続けます。",
    );
  });

  it("fills the room with the beginning of the next sentence", () => {
    expect(shorten("Fix it. The first of the two long sentences begins here. Thanks.", 50)).toBe(
      "Fix it. The first of the two long… Thanks.",
    );
  });

  it("cuts a single long sentence at a word", () => {
    expect(shorten("one two three four five six seven", 18)).toBe("one two three…");
  });

  it("leaves out code, marks of lists, and lines that only lead to others", () => {
    const text =
      "Done.\n\nWhat changed:\n```ts\nconst a = 1;\n```\n- `a.ts` reads less\n- `b.ts` is gone and nobody misses it\nAll tests pass.";
    expect(shorten(text, 40)).toBe("Done. … `a.ts` reads less … All tests pass.");
  });

  it("does not take the dot of a file or an abbreviation for the end of a sentence", () => {
    expect(shorten("Look at a.ts e.g. its end. And stop there. Then write the rest.", 52)).toBe(
      "Look at a.ts e.g. its end. … Then write the rest.",
    );
  });
});
