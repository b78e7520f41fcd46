import { findCaller } from "../../gates/find-caller.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import type { CommandAnswer, CommandName, Host } from "../../mcp/host.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { CommandContext } from "../command-context.ts";
import { hearCommand, type LentCommand, listen } from "../hear-command.ts";
import { readVersion } from "../version.ts";

const loaders: Readonly<Record<CommandName, LentCommand["load"]>> = {
  blocker: () => import("../commands/blocker.ts"),
  brief: () => import("../commands/brief.ts"),
  decide: () => import("../commands/decide.ts"),
  gate: () => import("../commands/gate.ts"),
  handover: () => import("../commands/handover.ts"),
  load: () => import("../commands/load.ts"),
  note: () => import("../commands/note.ts"),
  save: () => import("../commands/save.ts"),
};

/** Lends what commands do to a server that an agent talks to. */
export async function makeHost(context: CommandContext): Promise<Host> {
  return {
    version: await readVersion(),
    clock: context.clock,
    locate: () => {
      const { cwd, env, userHome } = context;
      return { cwd, home: locateHome(env, userHome), store: env.CARRYON_STORE };
    },
    catchUp: async () => {
      const heard = listen(context, forAgent(context, new AbortController().signal));
      await catchUp(heard.context);
      return heard.said.talk;
    },
    findCaller: () => findCaller(context),
    run: (name, words, signal) => run(context, name, words, signal),
  };
}

async function run(
  context: CommandContext,
  name: CommandName,
  words: readonly string[],
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const session = await findCaller(context);
  const command = { name, load: loaders[name] };
  return hearCommand(context, command, words, forAgent(context, signal, session));
}

function forAgent(
  { env }: CommandContext,
  signal: AbortSignal,
  session?: string,
): Pick<CommandContext, "env" | "catchSignals"> {
  return {
    // Whoever calls a tool is an agent, whatever its client says of itself.
    env: { AGENT: "mcp", ...env, ...(session !== undefined && { CARRYON_SESSION: session }) },
    catchSignals: () => signal,
  };
}
