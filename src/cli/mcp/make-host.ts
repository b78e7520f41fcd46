import { CommanderError } from "@commander-js/extra-typings";
import { toPrintableLine } from "../../lib/printable.ts";
import type { CommandAnswer, CommandName, Host } from "../../mcp/host.ts";
import { locateHome } from "../../project/locate-home.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliCommand } from "../define-command.ts";
import { makeStyle } from "../style.ts";
import { catchUp } from "../sync/catch-up.ts";
import { toUsageError } from "../usage-error.ts";
import { readVersion } from "../version.ts";
import { findCaller } from "./find-caller.ts";

const loaders: Readonly<Record<CommandName, () => Promise<{ readonly command: CliCommand }>>> = {
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
      const heard = listen(context, new AbortController().signal);
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
  const heard = listen(context, signal, session);
  try {
    const { command } = await loaders[name]();
    const parser = command.build(`carryon ${name}`, heard.context);
    parser.exitOverride().configureOutput({ writeErr: () => undefined });
    await parser.parseAsync([...words], { from: "user" });
    return heard.said;
  } catch (error) {
    const told =
      error instanceof CommanderError
        ? toUsageError(error, { command: `carryon ${name}`, takes: "arguments" })
        : error;
    return { ...heard.said, error: told };
  }
}

/** Makes a context without a terminal that remembers what is said. It inherits, because asking for the folder may fail. */
function listen(context: CommandContext, signal: AbortSignal, session?: string) {
  const said = { out: "", talk: "" };
  const plain = makeStyle({ colors: false });
  const own: Partial<CommandContext> = {
    // Whoever calls a tool is an agent, whatever its client says of itself.
    env: { AGENT: "mcp", ...context.env, ...(session !== undefined && { CARRYON_SESSION: session }) },
    isTerminal: { input: false, output: false, error: false },
    columns: undefined,
    rows: undefined,
    style: plain,
    errorStyle: plain,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.talk += text;
    },
    warn: (warning) => {
      said.talk += `${toPrintableLine(warning)}\n`;
    },
    drained: () => Promise.resolve(),
    catchSignals: () => signal,
  };
  const heard: CommandContext = Object.create(context, Object.getOwnPropertyDescriptors(own));
  return { said, context: heard };
}
