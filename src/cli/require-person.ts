import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import { isRunByAgent, listLiving } from "../gates/is-run-by-agent.ts";
import { listSessionsHere } from "../gates/list-sessions-here.ts";
import { locateRegistry } from "../gates/registry.ts";
import { usageError } from "../lib/app-error.ts";
import { locatePlace } from "../workspace/recognise-project.ts";
import type { CommandContext } from "./command-context.ts";

/**
 * Throws where an agent runs the command, or may run it: what it may not do, it must not allow itself.
 *
 * While a session works in the project, a program without a terminal is not told from one that its client has started and
 * let go of; scripts run where none does.
 */
export async function requirePerson(context: CommandContext, reason: string): Promise<void> {
  const doubt = await findDoubt(context);
  if (doubt === undefined) return;
  throw usageError("needs-person", `${reason}, and ${doubt}.`, {
    hint: "Run the same command in a terminal of your own.",
  });
}

/** Tells whether a person runs the command, as far as that can be told. */
export async function isPerson(context: CommandContext): Promise<boolean> {
  return (await findDoubt(context)) === undefined;
}

async function findDoubt(context: CommandContext): Promise<string | undefined> {
  if (await isRunByAgent(context)) return "an agent runs this command";
  if (context.isTerminal.input && context.hasOwnTerminal()) return undefined;
  if (!(await hasSessionHere(context))) return undefined;
  return "this command has no terminal while a session works in this project";
}

async function hasSessionHere(context: CommandContext): Promise<boolean> {
  if ((await listLiving(context)).length === 0) return false;
  const { root, git } = await locatePlace(context.cwd);
  const registry = locateRegistry(clientFolderOf(context));
  const here = await listSessionsHere({ root, commonFolder: git?.commonFolder, registry });
  return here.some(({ liveness }) => liveness === "alive");
}
