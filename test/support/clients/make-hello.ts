import { expect } from "vitest";
import type { Claude, ClaudeRun } from "./open-claude.ts";

/** Lets Claude Code make a file with two tools, which must go well and without a complaint. */
export async function makeHello(claude: Claude): Promise<ClaudeRun> {
  const run = await claude.run("make the hello file", ["--allowedTools", "Bash Write"]);
  expect({ exit: run.exit, said: run.result?.result, stderr: run.stderr }).toEqual({
    exit: 0,
    said: "The file is there.",
    stderr: "",
  });
  return run;
}
