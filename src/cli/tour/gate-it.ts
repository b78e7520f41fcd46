import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { answerForGates } from "../../gates/answer-for-gates.ts";
import type { HookAnswer } from "../../gates/gate-site.ts";
import { openGatesHere } from "../../gates/gates-here.ts";
import type { CommandContext } from "../command-context.ts";
import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

const write = { tool_name: "Write", tool_input: { file_path: "mobile.ts", content: "" } };
// Both kinds of sed understand it.
const command = "sed -i.old s/30/60/ make-limits.mjs";
const bash = { tool_name: "Bash", tool_input: { command } };

/** Shows how a gate holds an agent, also in the shell, until what it asks for is done. */
export async function gateIt(context: CommandContext, scratch: Scratch, say: Teller): Promise<void> {
  await say.step("A gate asks for a plan before files are changed");
  say.command("carryon gate init --preset minimal && carryon trust");
  await scratch.run(["gate", "init", "--preset", "minimal"]);
  await scratch.run(["trust"]);
  const tell = meetGates(context, scratch);
  await tell("SessionStart", { source: "startup" });
  say.command("carryon gate");
  say.result(await scratch.run(["gate"]));

  const refused = await tell("PreToolUse", write);
  insist(refused.type === "deny", "the gate let a file be written");
  say.result(
    `The agent wants to write mobile.ts, and is refused:\n  ${refused.reason.replaceAll("\n", "\n  ")}`,
  );

  insist((await tell("PreToolUse", bash)).type === "nothing", "the first command was refused");
  await promisify(execFile)("sh", ["-c", command], { cwd: scratch.cwd, env: scratch.env });
  await tell("PostToolUse", bash);
  const again = await tell("PreToolUse", bash);
  insist(again.type === "deny", "the shell is a way round the gate");
  const held = await tell("Stop", { stop_hook_active: false });
  insist(held.type === "hold", "the session may stop after it went round the gate");
  say.result(`It tries \`${command}\`: what that wrote is seen, and the next try is refused.`);

  say.command("carryon gate satisfy commit_plan");
  await scratch.run(["gate", "satisfy", "commit_plan"]);
  insist((await tell("PreToolUse", write)).type === "nothing", "a gate that is satisfied refuses");
  say.result("Now mobile.ts may be written.");
  await tell("SessionEnd", {});
}

type Tell = (event: string, more: Readonly<Record<string, unknown>>) => Promise<HookAnswer>;

/** Returns what tells the gates of a session that this process runs, as the hooks of a client do. */
function meetGates(context: CommandContext, scratch: Scratch): Tell {
  const { cwd, env, home, folder } = scratch;
  const { clock, pid } = context;
  const client = {
    ...{ cwd, env, home, clock },
    session: "5b1f2c6e-0d3a-4c47-9f1e-7a2d8c904e11",
    clientFolder: join(folder, ".claude"),
    process: { pid, client: pid },
    askTrust: async () => (await openGatesHere({ ...context, cwd, env, userHome: folder })).trusted,
    tell: ({ path, problem }: { readonly path: string; readonly problem: string }) =>
      insist(false, `${path} ${problem}`),
  };
  return (event, more) =>
    answerForGates(client, { hook_event_name: event, cwd, tool_use_id: "tour", ...more });
}
