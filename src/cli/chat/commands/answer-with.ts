import { toPrintableLine } from "../../../lib/printable.ts";
import { makeStyle } from "../../../lib/style.ts";
import type { CommandContext } from "../../command-context.ts";
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

/** What was said on the two outputs. */
interface Said {
  readonly out: string;
  readonly talk: string;
}

/** Makes a context without a terminal that remembers what is said. It inherits, because asking for the folder may fail. */
function listen(
  context: CommandContext,
  given: Partial<CommandContext> = {},
): { readonly said: Said; readonly context: CommandContext } {
  const said = { out: "", talk: "" };
  const plain = makeStyle({ colors: false });
  const own: Partial<CommandContext> = {
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
    ...given,
  };
  return { said, context: Object.create(context, Object.getOwnPropertyDescriptors(own)) };
}
