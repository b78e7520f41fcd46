import { describe, expect, it } from "vitest";
import { type Candidate, toChoices } from "../../src/cli/session-choices.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import type { Session } from "../../src/sessions/session.ts";
import { listedAt, listedSession, minutesAgo } from "../support/listed-session.ts";

function candidate(fields: Partial<Session>, prompt?: string, obstacle?: AppError): Candidate {
  return { session: listedSession(fields), prompt, obstacle };
}

const gone = new AppError("Claude Code has no transcript of it.", { kind: "usage", code: "no-transcript" });
const candidates = [
  candidate({}, "And now run the tests again, all of them, and tell me which commit broke them, if any did"),
  candidate(
    {
      title: "ユーザー名の正規化が原因です。ログインを直してください。テストも",
      status: "open",
      branch: null,
    },
    "続けて\nください",
  ),
  candidate(
    { title: "", status: "ended", branch: "feature/a-rather-long-branch-name", updatedAt: minutesAgo(3000) },
    "Why?",
  ),
  candidate({ title: "Killed early", messages: 0 }, "Hello\u001b[31m", gone),
];

const shortId = (id: string) => id.slice(0, 8);
const plain = makeStyle({ colors: false });

/** Returns the rows and, below each, what is shown while it is highlighted. */
function render(width: number): readonly string[] {
  const choices = toChoices(candidates, { width, style: plain, now: listedAt, shortId });
  return choices.flatMap(({ label, detail }) => [label, ...detail.map((line) => `  ${line}`)]);
}

describe("the sessions to choose among", () => {
  it("fit a terminal of 80 columns, with title, age and status", () => {
    expect(render(80)).toMatchInlineSnapshot(`
      [
        "Fix the login                                     20m ago  interrupted",
        "  Last prompt: And now run the tests again, all of them, and tell me which",
        "  commit broke them, if any did",
        "  1feeca77 · 4 messages",
        "ユーザー名の正規化が原因です。ログインを直して…   20m ago  open",
        "  Last prompt: 続けて ください",
        "  1feeca77 · 4 messages",
        "Why?                                              2d ago   ended",
        "  Last prompt: Why?",
        "  1feeca77 · 4 messages",
        "Killed early                                      20m ago  ✗ no transcript",
        "  Last prompt: Hello^[[31m",
        "  Claude Code has no transcript of it.",
        "  1feeca77 · 0 messages",
      ]
    `);
  });

  it("have their branch, too, where there is room", () => {
    expect(render(120)).toMatchInlineSnapshot(`
      [
        "Fix the login                                            20 minutes ago  interrupted      main",
        "  Last prompt: And now run the tests again, all of them, and tell me which commit broke them, if any did",
        "  1feeca77 · 4 messages",
        "ユーザー名の正規化が原因です。ログインを直してください…  20 minutes ago  open",
        "  Last prompt: 続けて ください",
        "  1feeca77 · 4 messages",
        "Why?                                                     2 days ago      ended            feature/a-rather-long-b…",
        "  Last prompt: Why?",
        "  1feeca77 · 4 messages",
        "Killed early                                             20 minutes ago  ✗ no transcript  main",
        "  Last prompt: Hello^[[31m",
        "  Claude Code has no transcript of it.",
        "  1feeca77 · 0 messages",
      ]
    `);
  });

  it("leave out the age where there is little room, and are never wider than the terminal", () => {
    expect(render(44)).toMatchInlineSnapshot(`
      [
        "Fix the login          interrupted",
        "  Last prompt: And now run the tests",
        "  again, all of them, and tell me which…",
        "  1feeca77 · 4 messages",
        "ユーザー名の正規化が…  open",
        "  Last prompt: 続けて ください",
        "  1feeca77 · 4 messages",
        "Why?                   ended",
        "  Last prompt: Why?",
        "  1feeca77 · 4 messages",
        "Killed early           ✗ no transcript",
        "  Last prompt: Hello^[[31m",
        "  Claude Code has no transcript of it.",
        "  1feeca77 · 0 messages",
      ]
    `);
    for (let width = 40; width < 160; width += 1)
      for (const line of render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width - 4);
  });

  it("are found by any of their words, and one that cannot be resumed says so", () => {
    const [first, , , last] = toChoices(candidates, { width: 80, style: plain, now: listedAt, shortId });
    expect([first?.words, first?.refusal]).toEqual([
      "Fix the login And now run the tests again, all of them, and tell me which commit broke them, if any did main 1feeca77-1111-4111-8111-111111111111 interrupted",
      undefined,
    ]);
    expect(last?.refusal).toBe("This one cannot be resumed. Read it with `carryon show 1feeca77`.");
  });

  it("have a coloured status, so that one that was cut off is seen at a glance", () => {
    const style = makeStyle({ colors: true });
    const choices = toChoices(candidates, { width: 80, style, now: listedAt, shortId });
    expect(choices.map(({ label }) => label)).toEqual([
      expect.stringContaining(style.yellow("interrupted")),
      expect.stringContaining(style.green("open")),
      expect.stringContaining("  ended"),
      expect.stringContaining(style.red("✗ no transcript")),
    ]);
  });
});
