import type { CommandContext } from "../../command-context.ts";
import { listen } from "../../listen.ts";
import type { CommandJob } from "./chat-command.ts";

/** Answers with what is said on the outputs while `work` runs, also where it fails. */
export async function answerWith(
  { setting, face, signal }: CommandJob,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { style } = setting.context;
  const { said, context } = listen(setting.context, {
    columns: face.columns,
    style,
    errorStyle: style,
    catchSignals: () => signal,
    env: inSession(setting),
  });
  try {
    await work(context);
  } finally {
    if (said.out + said.talk !== "") face.answer(said.out + said.talk);
  }
}

/** Lends the terminal to `work`, which may ask there. */
export function askWith(
  { setting, face }: CommandJob,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const context: CommandContext = Object.create(setting.context, { env: { value: inSession(setting) } });
  return face.lendTerminal(() => work(context));
}

/** Says in the environment which session it is, as an agent does. */
function inSession({ context, chat }: CommandJob["setting"]): CommandContext["env"] {
  return { ...context.env, CARRYON_SESSION: chat.status.session };
}
