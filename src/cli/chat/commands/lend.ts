import type { CommandContext } from "../../command-context.ts";
import { callCommand, hearCommand, type LentCommand } from "../../hear-command.ts";
import type { CommandJob } from "./chat-command.ts";

const lent = {
  sessions: () => import("../../commands/sessions.ts"),
  diff: () => import("../../commands/diff.ts"),
  export: () => import("../../commands/export.ts"),
  handover: () => import("../../commands/handover.ts"),
} as const satisfies Readonly<Record<string, LentCommand["load"]>>;

type LentName = keyof typeof lent;

/** Answers with what a command of the command line says. */
export async function answerWith(
  { setting, face, signal }: CommandJob,
  name: LentName,
  words: readonly string[],
): Promise<void> {
  const { context } = setting;
  const own = {
    ...{ columns: face.columns, style: context.style, errorStyle: context.style, catchSignals: () => signal },
    env: inSession(setting),
  };
  const { out, talk, error } = await hearCommand(context, { name, load: lent[name] }, words, own);
  if (out + talk !== "") face.answer(out + talk);
  if (error !== undefined) throw error;
}

/** Runs a command of the command line on the terminal itself, where it may ask. */
export function askWith(
  { setting, face }: CommandJob,
  name: LentName,
  words: readonly string[],
): Promise<void> {
  const context: CommandContext = Object.create(setting.context, { env: { value: inSession(setting) } });
  return face.lendTerminal(() => callCommand(context, { name, load: lent[name] }, words));
}

/** Tells a command in which session it is run, as an agent does. */
function inSession({ context, chat }: CommandJob["setting"]): CommandContext["env"] {
  return { ...context.env, CARRYON_SESSION: chat.status.session };
}
