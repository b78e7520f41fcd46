import { isTrustedHere } from "../../gates/gates-here.ts";
import { usageError } from "../../lib/app-error.ts";
import { restWord } from "../../lib/hook-files.ts";
import { answerStart, finishStart, parseStart } from "../../lifecycle/answer-start.ts";
import { whyNotRecorded } from "../../recording/privacy.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { type CommandContext, renderJson } from "../command-context.ts";

/** Answers what a hook asks Carryon itself, with one line of JSON. It is no command for people. */
export async function answerHook(context: CommandContext, [what]: readonly string[]): Promise<void> {
  switch (what) {
    case "SessionStart":
      return answerStart(context, parseStart(await readAll(context.input)), (answer) =>
        context.out(`${JSON.stringify(answer)}\n`),
      );
    case restWord:
      return finishStart(context, parseStart(await readAll(context.input)));
    case "trust":
      return context.out(`${renderJson(await isTrustedHere(context))}\n`);
    case "record":
      return context.out(`${renderJson((await whyNotHere(context)) === undefined)}\n`);
    default:
      throw usageError("unknown-command", "Hooks ask nothing of this kind.");
  }
}

function whyNotHere({ cwd, env, userHome, clock }: CommandContext) {
  return whyNotRecorded(locateHome(env, userHome), { folder: cwd, now: clock.now() });
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(input)).toString();
}
