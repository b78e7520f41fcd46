import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CommandContext } from "../../command-context.ts";
import type { Scratch } from "../scratch.ts";
import { insist, type Teller } from "../teller.ts";
import { playReal } from "./play-real.ts";
import { playRecorded } from "./play-recorded.ts";

const prompt = "Users are logged out after an hour. Why?";

/** Shows that a session of Claude Code is recorded by itself, and found after a kill. */
export async function showClaudeCode(context: CommandContext, scratch: Scratch, say: Teller): Promise<void> {
  const atHome = (text: string) => text.replaceAll(scratch.folder, "~");
  await say.step("Claude Code is recorded by itself, and killed in the middle of a turn");
  await writeFile(join(scratch.cwd, "session.ts"), "const lifetime = 60 * 60;\n");
  say.command("carryon init --yes");
  const written = (await scratch.run(["init", "--yes"])).split("\n");
  // It shows what it writes; which files that are, beside Carryon's own, is enough here.
  const files = written.filter((line) => /^\S.* \(.*(?:new|changed)\)$/.test(line));
  insist(files.length > 0, "init wrote nothing");
  say.result(atHome(files.join("\n")));
  say.command(`claude -p "${prompt}"`);
  const isReal = (await isInstalled(scratch)) && (await playReal("claude", scratch, prompt));
  if (!isReal) await playRecorded(scratch, prompt, context.clock.now());
  say.result(
    isReal
      ? "The real client, with a home of its own and a model that the tour plays. SIGKILL while it answers."
      : "Claude Code is not installed here: the tour calls its hooks and writes its transcript. SIGKILL while it answers.",
  );

  await say.step("The session is found, and goes on in Claude Code where it stopped");
  say.command("carryon sessions");
  say.result(await scratch.run(["sessions"]));
  say.command("carryon show latest");
  const shown = await scratch.run(["show", "latest"]);
  say.result(shown);
  insist(shown.includes(prompt), "the prompt is not in the session");
  const { session } = JSON.parse(await scratch.run(["show", "latest", "--json"]));
  insist(session.client === "claude-code", `the newest session is one of ${session.client}`);
  insist(session.status === "interrupted", `the session of a killed client is ${session.status}`);
  say.command("carryon resume latest --print");
  const resume = await scratch.run(["resume", "latest", "--print"]);
  say.result(atHome(resume));
  insist(resume.includes("claude --resume"), "nothing says how to go on");
}

/** Tells whether the client can be started. */
async function isInstalled({ cwd, env }: Scratch): Promise<boolean> {
  try {
    await promisify(execFile)("claude", ["--version"], { cwd, env, timeout: 10_000 });
    return true;
  } catch {
    // It is not there, or does not work here: either way the tour goes on without it.
    return false;
  }
}
