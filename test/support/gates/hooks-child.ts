import { join } from "node:path";
import { answerForGates } from "../../../src/gates/answer-for-gates.ts";
import { systemClock } from "../../../src/lib/clock.ts";

/**
 * Lets a session of the current folder do what the arguments say, one thing after the other, and prints a line for each:
 * what the client is told. `told` prints the paths of which something was told so far.
 *
 * The session is the first argument; then come `start`, `edit`, `stop`, `end`, `told`, and names of skills after a slash.
 */
const { HOME = "", CARRYON_HOME = "" } = process.env;
const [session = "", ...steps] = process.argv.slice(2);
const told = new Set<string>();

const client = {
  cwd: process.cwd(),
  session,
  home: CARRYON_HOME,
  clientFolder: join(HOME, ".claude"),
  env: process.env,
  clock: systemClock,
  process: { pid: process.pid, client: process.ppid },
  askTrust: async () => true,
  tell: ({ path }: { readonly path: string }) => told.add(path),
};

const ask = (event: string, more: object) =>
  answerForGates(client, { cwd: client.cwd, hook_event_name: event, ...more });

async function use(tool: string, input: object) {
  const call = { tool_name: tool, tool_input: input, tool_use_id: `${session}-${tool}` };
  const answer = await ask("PreToolUse", call);
  if (answer.type !== "deny") await ask("PostToolUse", { ...call, tool_response: { success: true } });
  return answer;
}

const events: Readonly<Record<string, () => ReturnType<typeof ask>>> = {
  start: () => ask("SessionStart", { source: "startup" }),
  edit: () => use("Edit", { file_path: join(client.cwd, "a.txt"), old_string: "", new_string: "x" }),
  stop: () => ask("Stop", { stop_hook_active: false }),
  end: () => ask("SessionEnd", { reason: "other" }),
};

for (const step of steps) {
  if (step === "told") process.stdout.write(`${[...told].toSorted().join("\n")}\n`);
  else {
    const answer = await (events[step]?.() ?? use("Skill", { skill: step.slice(1) }));
    process.stdout.write(`${step}: ${answer.type === "tell" ? answer.text.split("\n")[0] : answer.type}\n`);
  }
}
