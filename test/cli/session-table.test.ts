import { describe, expect, it } from "vitest";
import { renderSessions } from "../../src/cli/session-table.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import { listedAt, listedSession, minutesAgo } from "../support/listed-session.ts";
import { testContext } from "../support/test-context.ts";

const sessions = [
  listedSession(),
  listedSession({
    ...{ id: "session-20261115-115000-k3f9-auth" as SessionId, client: "carryon-append", branch: null },
    ...{
      title: "ユーザー名の正規化が原因です。ログインを直してください。テストも",
      status: "open",
      messages: 12_345,
    },
  }),
  listedSession({
    ...{
      title: "",
      status: "ended",
      branch: "feature/a-rather-long-branch-name",
      updatedAt: minutesAgo(4000),
    },
  }),
];

/** As they are printed where no two begin the same. */
const shortId = (id: string) => (id.startsWith("session-") ? id.slice(0, 28) : id.slice(0, 8));

function render(columns: number | undefined, colors = false): readonly string[] {
  const context = testContext("/", { columns, style: makeStyle({ colors }), clock: { now: () => listedAt } });
  return renderSessions(sessions, context, { shortId }).trimEnd().split("\n");
}

describe("the table of sessions", () => {
  it("has status and a readable title on a terminal of 60 columns", () => {
    expect(render(60)).toMatchInlineSnapshot(`
      [
        "SESSION                       STATUS       TITLE",
        "1feeca77                      interrupted  Fix the login",
        "session-20261115-115000-k3f9  open         ユーザー名の正規…",
        "1feeca77                      ended        (untitled)",
      ]
    `);
  });

  it("has age and size, too, on one of 80 columns", () => {
    expect(render(80)).toMatchInlineSnapshot(`
      [
        "SESSION                       UPDATED   MSGS  STATUS       TITLE",
        "1feeca77                      20m ago      4  interrupted  Fix the login",
        "session-20261115-115000-k3f9  20m ago  12345  open         ユーザー名の正規化が…",
        "1feeca77                      2d ago       4  ended        (untitled)",
      ]
    `);
  });

  it("has more on wider ones, as long as titles can be read", () => {
    expect(render(120)).toMatchInlineSnapshot(`
      [
        "SESSION                       UPDATED          MSGS  STATUS       CLIENT          TITLE",
        "1feeca77                      20 minutes ago      4  interrupted  claude-code     Fix the login",
        "session-20261115-115000-k3f9  20 minutes ago  12345  open         carryon-append  ユーザー名の正規化が原因です。ログイ…",
        "1feeca77                      2 days ago          4  ended        claude-code     (untitled)",
      ]
    `);
    expect(render(200)).toMatchInlineSnapshot(`
      [
        "SESSION                       UPDATED          MSGS  STATUS       CLIENT          BRANCH                    TITLE",
        "1feeca77                      20 minutes ago      4  interrupted  claude-code     main                      Fix the login",
        "session-20261115-115000-k3f9  20 minutes ago  12345  open         carryon-append  -                         ユーザー名の正規化が原因です。ログインを直してください。テストも",
        "1feeca77                      2 days ago          4  ended        claude-code     feature/a-rather-long-b…  (untitled)",
      ]
    `);
  });

  it("is never wider than the terminal, and cuts nothing in a pipe", () => {
    for (let width = 20; width < 220; width += 1)
      for (const line of render(width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
    expect(render(undefined).join("\n")).not.toContain("…");
  });

  it("shows at a glance what was cut off and what is open", () => {
    const style = makeStyle({ colors: true });
    expect(render(80, true).map((line) => line.match(/interrupted|open|ended/)?.[0] ?? "")).toEqual([
      ...["", "interrupted", "open", "ended"],
    ]);
    expect(render(80, true)[1]).toContain(style.yellow("interrupted"));
    expect(render(80, true)[2]).toContain(style.green("open"));
  });

  it("names the machines where sessions came from another one, and only there", () => {
    const context = testContext("/", { columns: undefined, clock: { now: () => listedAt } });
    const elsewhere = listedSession({ machine: "ada-laptop", title: "Of Ada" });
    const lines = renderSessions([listedSession(), elsewhere], context, { shortId: (id) => id }).split("\n");
    expect(lines.map((line) => line.split(/ {2,}/).slice(-2))).toEqual([
      ["MACHINE", "TITLE"],
      ["test-machine", "Fix the login"],
      ["ada-laptop", "Of Ada"],
      [""],
    ]);
    expect(render(undefined)[0]).not.toContain("MACHINE");
  });
});
