import { restWord } from "../lib/hook-files.ts";
import { askCarryon, leaveToCarryon, type Question } from "./ask-carryon.ts";
import { type Launch, placeOf, readLaunch } from "./launch.ts";
import { loadStarter, type Starter } from "./load-starter.ts";
import type { HookSurroundings } from "./surroundings.ts";

/** How long a client waits at most for what a session must know, and for what is left to do after that. */
const [answerMs, restMs] = [10_000, 1000];

/**
 * Tells a session that begins what Carryon has to say. Throws when there is no answer in time.
 *
 * Carryon is loaded into this process: another one takes as long to begin as the answer takes. Where it cannot be loaded
 * or fails, one of its own is asked. What is not done in time is left to one that nobody waits for.
 */
export async function answerStart(
  { home, env, userHome, note, say }: HookSurroundings,
  asked: Pick<Question, "what" | "input" | "cwd">,
): Promise<void> {
  const launch = readLaunch(home);
  if (launch === undefined) return;
  const question = { ...asked, home, env, withinMs: answerMs };
  const begun = begin(load(launch));
  const own = begun && (await inTime(answerMs, begun.answer));
  const answer = own ?? (await askCarryon(question));
  if (answer) say(answer);
  if (own !== undefined) await inTime(restMs, begun?.end).catch(noteError);

  function load(from: Launch): Starter | undefined {
    try {
      return loadStarter(from, home);
    } catch (error) {
      noteError(error);
      return undefined;
    }
  }

  /** Has no answer where it failed before it had one; its end never fails. */
  function begin(starter: Starter | undefined) {
    if (starter === undefined) return undefined;
    const { promise: own, resolve } = Promise.withResolvers<string | undefined>();
    const place = placeOf(question);
    const heard = { cwd: place.cwd, env: place.env, userHome, input: asked.input, note, say: resolve };
    const end = starter.start(heard).catch(noteError);
    return { answer: Promise.race([own, end.then(() => undefined)]), end };
  }

  function noteError(error: unknown): void {
    note(error instanceof Error ? error.message : String(error));
  }

  /** Waits for a part of it, and throws when that does not come. */
  async function inTime<Value>(patienceMs: number, part: Promise<Value> | undefined) {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(reject, patienceMs, new Error(`Carryon did not answer ${asked.what} in time`));
    try {
      return await Promise.race([part, late]);
    } catch (error) {
      leaveToCarryon({ ...question, what: restWord });
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
