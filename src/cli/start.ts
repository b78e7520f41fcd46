import { hostname } from "node:os";
import { systemClock } from "../lib/clock.ts";
import { repositoryVariables } from "../lib/repository-variables.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import { answerStart, parseStart } from "../lifecycle/answer-start.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { Caller } from "../workspace/workspace.ts";

/** The beginning of a session as its hook heard of it. */
export interface HeardStart extends Pick<Caller, "cwd" | "env" | "userHome"> {
  /** What the client wrote. */
  readonly input: string;
  /** Is given the answer, a line of JSON, as soon as it is there. */
  readonly say: (line: string) => void;
  /** Is told what went wrong and stops nothing. */
  readonly note: (what: string) => void;
}

/**
 * Answers the beginning of a session in the process of its hook: another one takes as long to begin as all of this.
 *
 * Resolves when everything is done that a start calls for; the answer is said before.
 */
export async function start({ input, say, note, ...heard }: HeardStart): Promise<void> {
  // What we ask git is about folders, not about the repository of a hook of git.
  for (const name of repositoryVariables) Reflect.deleteProperty(process.env, name);
  const tell = (text: string) => {
    if (text.trim() !== "") note(hideSecrets(text.trim()));
  };
  const context: Caller = {
    ...heard,
    pid: process.pid,
    machine: hostname(),
    clock: systemClock,
    random: systemRandom,
    warn: tell,
  };
  await answerStart(context, parseStart(input), (answer) => say(JSON.stringify(answer)));
}
