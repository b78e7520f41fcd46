import type { Carryon } from "./run-carryon.ts";

const call = (id: string, name: string, input: object) => ({ type: "tool-call", call: id, name, input });
const result = (id: string, output: string, failed?: true) => ({
  ...{ type: "tool-result", call: id, output },
  ...(failed && { failed }),
});
const message = (role: string, ...parts: readonly object[]) => ({ kind: "message", role, parts });
const text = (said: string) => ({ type: "text", text: said });

/** What a hostile text tries: markup, colours of a terminal, other reading directions. */
export const hostile = `</p><script>alert("x")</script><img src=x onerror='y'> \u001b[31mred \u202etxt &amp; \u200b`;

/** Two sessions that went on from one, by their ids. */
export interface TwoWays {
  readonly origin: string;
  readonly fork: string;
}

/** Records a session, forks it after two messages, and lets both go on in their own way. */
export async function recordTwoWays(carryon: Pick<Carryon, "ask">): Promise<TwoWays> {
  const [first = ""] = (
    await carryon.ask(
      ["append", "--title", "The login"],
      [
        { role: "user", text: "Fix the login" },
        { role: "assistant", text: "How?" },
      ],
    )
  ).split("\n");
  const origin: string = JSON.parse(first).session;
  const fork = (await carryon.ask(["fork", origin, "--at", "2", "--title", "Try tokens"])).trim();
  const usage = { inputTokens: 1200, outputTokens: 80, cacheReadTokens: 5, cacheWriteTokens: 1 };
  await carryon.ask(
    ["append", "--session", origin],
    [
      { role: "user", text: "With a cookie" },
      {
        ...message(
          "assistant",
          text(Array.from({ length: 14 }, (_, index) => `line ${index + 1}`).join("\n")),
          ...[call("c1", "Edit", { file_path: "src/login.ts" }), call("c2", "Bash", { command: "npm test" })],
          call("c3", "decide", { summary: "How to log in", decision: "cookies" }),
        ),
        ...{ model: "model-x", usage },
      },
      message("tool", result("c1", "ok"), result("c2", "Exit code 1\n1 failed", true), result("c3", "D1")),
      { role: "user", text: "Thanks" },
      { role: "user", text: hostile },
      { kind: "checkpoint", state: { blocker: { description: "red tests" } } },
      { kind: "event", event: "api-error", data: { status: 529 } },
    ],
  );
  await carryon.ask(
    ["append", "--session", fork],
    [
      { role: "user", text: "With tokens, トークンで" },
      message(
        "assistant",
        ...[call("d1", "Write", { file_path: "src/login.ts" }), call("d2", "Read", { file_path: "a.ts" })],
        ...[
          call("d3", "decide", { summary: "How to log in", decision: "tokens" }),
          call("d4", "Bash", { command: "ls" }),
        ],
      ),
      message("tool", result("d1", "ok"), result("d2", "text"), result("d3", "D2")),
      { role: "user", text: "Thanks" },
    ],
  );
  await carryon.ask(["tag", origin, "red"]);
  await carryon.ask(["tag", fork, "blue"]);
  return { origin, fork };
}
