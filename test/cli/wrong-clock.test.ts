import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { tempDir } from "../support/temp-dir.ts";
import { inputOf, testContext } from "../support/test-context.ts";

const year = 365 * 24 * 3_600_000;

/** Runs a command in a folder with a clock that is off, and returns what it printed. */
async function runUnder(
  folder: string,
  offMs: number,
  args: readonly string[],
  text?: string,
): Promise<string> {
  const clock = { now: () => new Date(Date.now() + offMs) };
  const input = text === undefined ? inputOf() : inputOf({ role: "user", text });
  const context = testContext(folder, { clock, input });
  expect([await runCli(args, context), context.said.err]).toEqual([0, expect.any(String)]);
  return context.said.out;
}

it("a session that was recorded under a wrong clock is neither `latest` for ever nor cleaned at once", async () => {
  await using dir = await tempDir();
  for (const [text, off] of [
    ["before", 0],
    ["ahead", year],
    ["behind", -year],
    ["after", 0],
  ] as const)
    await runUnder(dir.path, off, ["append"], text);
  const title = async (args: readonly string[]) => {
    const { session, sessions } = JSON.parse(await runUnder(dir.path, 0, args));
    return (sessions ?? [session]).map((each: { title: string }) => each.title);
  };
  expect(await title(["show", "latest", "--json"])).toEqual(["after"]);
  expect(await title(["status", "--json"])).toEqual(["after", "ahead", "before", "behind"]);
  expect(await title(["sessions", "--json"])).toEqual(["after", "ahead", "before", "behind"]);
  expect(await runUnder(dir.path, 0, ["clean", "--yes"])).toBe("");
  expect(await runUnder(dir.path, 2 * year, ["clean", "--dry-run"])).toContain("behind");
});
