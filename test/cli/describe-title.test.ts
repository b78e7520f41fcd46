import { describe, expect, it } from "vitest";
import { describeTitle } from "../../src/cli/describe-title.ts";
import { applyEntry, startFacts } from "../../src/sessions/session-facts.ts";
import { said, start } from "../support/entries.ts";

const marker = "[redacted:github-token:1f3a9c07]";

/** Returns the title of a session that begins with a prompt and was not named. */
function titleOf(prompt: string): string {
  const content = said("1", prompt);
  const { opening } = applyEntry(startFacts(start.getTime(), null), { id: content.id, at: start, content });
  return opening ?? "";
}

describe("the title of a session for people", () => {
  it("never ends with a part of a marker, wherever the prompt was cut", () => {
    const titles = Array.from({ length: 70 }, (_, length) => {
      const before = "x".repeat(length);
      return describeTitle({ title: titleOf(`${before}${marker} and more of it`) });
    });
    for (const [length, title] of titles.entries()) {
      const before = "x".repeat(Math.min(length, 60));
      // A bracket at the very end may be anything.
      const whole = [`${before}…`, before, `${before}[`];
      const isWhole = whole.includes(title) || title.startsWith(`${before}${marker}`);
      expect(isWhole, title).toBe(true);
    }
  });

  it.each([
    { title: "", shown: "(untitled)" },
    { title: "Fix [re", shown: "Fix [re" },
    { title: `Use ${marker}`, shown: `Use ${marker}` },
    { title: `${"x".repeat(57)}[re`, shown: `${"x".repeat(57)}…` },
    { title: `${"x".repeat(186)}[redacted:jwt:`, shown: `${"x".repeat(186)}…` },
  ])("is $shown", ({ title, shown }) => {
    expect(describeTitle({ title })).toBe(shown);
  });
});
