import { describe, expect, it } from "vitest";
import { start } from "../support/child.ts";
import { openGated } from "../support/gates/gated-cli.ts";

const real = "1f0e9d8c-7b6a-4958-8776-655443322110";
const mistyped = "1f0e9d8c-7b6a-4958-8776-655443322101";

/** A client that this process does not come from: who does is taken for an agent. */
const startClient = () => start("cat", []);

describe("a session that looks like a typing error", () => {
  it.each([
    { known: "that lives", make: { lives: true }, typed: mistyped, meant: real },
    { known: "of which something is recorded", make: { lives: false }, typed: mistyped, meant: real },
    { known: "by the beginning of its id", make: { lives: true }, typed: "1f0e9d8x", meant: "1f0e9d8c" },
    {
      known: "with an error in the beginning",
      make: { lives: false },
      typed: `2${real.slice(1)}`,
      meant: real,
    },
  ])("of one $known is refused, unless it is meant: $typed", async ({ make, typed, meant }) => {
    await using client = startClient();
    await using carryon = await openGated();
    if (make.lives) await carryon.live(real, { ppid: client.pid });
    else await carryon.call(["gate", "satisfy", "commit_plan", "--session", real]);
    const before = await carryon.state();
    for (const args of [
      ["satisfy", "each_commit"],
      ["approve", "size"],
      ["clear", "commit_plan"],
    ]) {
      expect(await carryon.call(["gate", ...args, "--session", typed], { isTyped: true })).toEqual({
        code: 2,
        stdout: "",
        stderr: `carryon: Nothing is known of a session ${typed}, and nothing was recorded.\n  Did you mean ${meant}? If it is the one that is meant, say so with --yes.\n`,
      });
    }
    expect(await carryon.state()).toEqual(before);
    expect((await carryon.call(["gate", "--session", typed])).stderr).toBe(
      `Nothing is known of a session ${typed}. Did you mean ${meant}?\n`,
    );
    expect((await carryon.call(["gate", "satisfy", "each_commit", "--session", typed, "--yes"])).code).toBe(
      0,
    );
    // From now on it is known.
    expect((await carryon.call(["gate", "clear", "each_commit", "--session", typed])).code).toBe(0);
  });

  it("is none that is known, nor one that is like no other, nor a name that somebody gave", async () => {
    await using client = startClient();
    await using carryon = await openGated();
    await carryon.live(real, { ppid: client.pid });
    const known = ["1f0e9d8c", real, "ab54c2d1-0000-4000-8000-000000000001", "session-one", "session-two"];
    for (const session of known) {
      expect((await carryon.call(["gate", "satisfy", "commit_plan", "--session", session])).code).toBe(0);
      expect((await carryon.call(["gate", "--session", session])).stderr).toBe("");
    }
  });
});
