import { appendFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { clientFolderOf } from "../clients/claude-code/locate-client.ts";
import { findOwnAgent, readClientEnvironment } from "../gates/ancestors.ts";
import { beginForGates } from "../gates/answer-for-gates.ts";
import { toHookOutput, type WireHook } from "../gates/answer-hook.ts";
import { isTrustedHere } from "../gates/gates-here.ts";
import { usageError } from "../lib/app-error.ts";
import { briefGiven } from "../lib/hook-files.ts";
import { parseIfJson } from "../lib/json.ts";
import { findGiven } from "../sessions/ingestion.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { writeHere } from "../workspace/open-here.ts";
import type { Caller } from "../workspace/workspace.ts";
import { catchUp } from "./catch-up.ts";
import { beginSession, briefSession } from "./make-brief.ts";

/** How long a session waits at most for what is new to be taken in; the rest is taken in while it runs. */
const patienceMs = 3000;

/** The beginning of a session, as its client tells of it. */
export interface StartedSession extends WireHook {
  readonly session_id: string;
}

/** Reads what a client tells of the beginning of a session. */
export function parseStart(text: string): StartedSession {
  const wire = parseIfJson(text) as Partial<StartedSession> | null | undefined;
  if (typeof wire?.session_id !== "string" || typeof wire.hook_event_name !== "string")
    throw usageError("bad-event", "This is no event of a client.");
  return { ...wire, session_id: wire.session_id, hook_event_name: wire.hook_event_name };
}

/**
 * Tells a session that begins what it must know, and makes it known to others.
 *
 * `say` gets the answer to the hook as soon as it is there; who waits for it need not wait for the end.
 */
export async function answerStart(
  context: Caller,
  wire: StartedSession,
  say: (answer: object) => void,
): Promise<void> {
  const { session_id: session, hook_event_name: event } = wire;
  await meetGates(context, wire);
  await nameSession(context, session);
  await writeHere(context, async (here) => {
    const takingIn = catchUp(context, here.store);
    const waiting = new AbortController();
    await Promise.race([takingIn, sleep(patienceMs, undefined, waiting).catch(() => undefined)]);
    waiting.abort();
    try {
      const known = await findGiven(here.store.ingestion, "claude-code", session);
      await briefSession(here, { session: known }, ({ text, notice }) => {
        const answer = { type: "tell", text, notice: isNewStart(wire) ? notice : undefined } as const;
        say((isGiven(context, wire) ? undefined : toHookOutput(event, answer)) ?? {});
      });
    } finally {
      // It reads and writes the same store.
      await takingIn;
    }
  });
}

/** Does what is left of a start when the session has its answer: others may hold the store or the documents for long. */
export async function finishStart(context: Caller, { session_id }: StartedSession): Promise<void> {
  await catchUp(context);
  await beginSession(context, session_id);
}

/** Tells whether the client was started with the brief, so that the session has it already. */
function isGiven({ env }: Caller, { source }: StartedSession): boolean {
  return source === "startup" && env[briefGiven.name] === briefGiven.value;
}

/** Tells whether a session begins without a conversation: one that is resumed or compacted goes on with its own. */
function isNewStart({ source }: StartedSession): boolean {
  return source === "startup" || source === "clear";
}

/** Registers the session and carries over what its predecessor had satisfied; how the gates stand, the brief says. */
async function meetGates(context: Caller, wire: StartedSession): Promise<void> {
  const { cwd, env, userHome, clock, pid } = context;
  const client = (await findOwnAgent(pid))?.pid ?? pid;
  await beginForGates(
    {
      ...{ cwd, env, clock, process: { pid, client }, session: wire.session_id },
      home: locateHome(env, userHome),
      clientFolder: clientFolderOf(context),
      askTrust: () => isTrustedHere(context),
      startedWith: () => readClientEnvironment(pid),
      tell: ({ path, problem }) => context.warn(`${path} ${problem}`),
    },
    wire,
  );
}

/** Lets the commands that the client runs know which session they are run in. */
async function nameSession({ env, warn }: Caller, session: string): Promise<void> {
  const { CLAUDE_ENV_FILE: file } = env;
  if (file === undefined || file === "" || !/^[\w-]+$/.test(session)) return;
  try {
    await appendFile(file, `export CARRYON_SESSION=${session}\n`);
  } catch (error) {
    warn(`The session could not be named to its commands: ${error}`);
  }
}
