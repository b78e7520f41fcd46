import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { createRequire, enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { locateClient } from "../clients/claude-code/locate-client.ts";
import { isSkipped } from "../gates/may-have-gates.ts";
import { usePass } from "../gates/pass.ts";
import { isToldElsewhere } from "../git/read-head.ts";
import { restWord } from "../lib/hook-files.ts";
import { parseIfJson } from "../lib/json.ts";
import {
  askCarryon,
  type Launch,
  leaveToCarryon,
  placeOf,
  type Question,
  readLaunch,
} from "./ask-carryon.ts";
import { chooseGateFolders, type GateFolder } from "./gate-folder.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { HookEvent, WireEvent } from "./wire.ts";

/** How long a client waits at most for whether a project is trusted. */
const trustMs = 5000;

/** What was heard, and where. */
export interface Heard {
  readonly wire: WireEvent;
  /** The same as the client wrote it. */
  readonly input: string;
  readonly cwd: string;
}

/** Returns what the client is to be told, in its own form; undefined for nothing, or nothing more. */
export async function answerEvent(
  surroundings: HookSurroundings,
  { asks }: Pick<HookEvent, "asks">,
  { wire, input, cwd }: Heard,
): Promise<string | undefined> {
  const { home, env, userHome, process, note } = surroundings;
  const event = wire.hook_event_name;
  if (asks === "carryon")
    return answerStart(surroundings, { what: event, input, cwd }).then(
      () => undefined,
      (error: unknown) => sayUnknown(event, error, note),
    );
  const clientFolder = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  if (asks === "nobody") return undefined;
  const places = { home, env, userHome, clientFolder };
  const folders: readonly GateFolder[] =
    asks === "gates" ? [{ folder: cwd, watches: "all" }] : chooseGateFolders(wire, cwd, places);
  const { session_id: session } = wire;
  let first: string | undefined;
  for (const { folder, watches } of folders) {
    const holder = { home, session, cwd: folder, clientFolder };
    if (mayPass(env) && usePass(holder, wire, new Date())) continue;
    const asked = { home, env, cwd: folder, what: "trust", input, withinMs: trustMs };
    const askTrust = async () => toTrust(await askCarryon(asked));
    const gated = { ...holder, watches, env, process, note, askTrust };
    const answer = await surroundings.loadGates().answerForGates(gated, wire);
    if (answer?.refuses) return answer.output;
    first ??= answer?.output;
  }
  return first;
}

/** Passes are for the repository that the folder is in, and where gates are not turned off. */
function mayPass(env: HookSurroundings["env"]): boolean {
  return !(isSkipped(env) || isToldElsewhere(env));
}

/** A session that is told nothing would take itself for the first one. */
function sayUnknown(event: string, error: unknown, note: HookSurroundings["note"]): string {
  note(error instanceof Error ? error.message : String(error));
  const additionalContext =
    "Carryon cannot tell now what earlier sessions in this project did, decided and left open: `carryon doctor` says why.";
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
}

function toTrust(line: string | undefined): boolean | undefined {
  const value = parseIfJson(line ?? "");
  return typeof value === "boolean" ? value : undefined;
}

/** How long a client waits at most for what a session must know, and for what is left to do after that. */
const [answerMs, restMs] = [10_000, 1000];

/**
 * Tells a session that begins what Carryon has to say. Throws when there is no answer in time.
 *
 * Carryon is loaded into this process: another one takes as long to begin as the answer takes. Where it cannot be loaded
 * or fails, one of its own is asked. What is not done in time is left to one that nobody waits for.
 */
async function answerStart(
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

/** What of Carryon answers the beginning of a session. */
interface Starter {
  /** Says the answer, a line of JSON, and resolves when all is done that a start calls for. */
  readonly start: (heard: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly userHome: string;
    /** What the client wrote. */
    readonly input: string;
    readonly say: (line: string) => void;
    readonly note: (what: string) => void;
  }) => Promise<void>;
}

/**
 * Loads what answers the beginning of a session from the package that is started otherwise, so that both say the same.
 * Undefined where the package has to be started: a checkout runs its source, and another Node may be meant.
 */
function loadStarter({ node, launcher }: Launch, home: string): Starter | undefined {
  const root = dirname(dirname(realpathSync(launcher)));
  const file = join(root, "dist", "cli", "start.cjs");
  if (node !== process.execPath || existsSync(join(root, "src", "cli", "main.ts")) || !existsSync(file))
    return undefined;
  cacheCompiledCode(join(home, "cache"));
  return createRequire(file)(file);
}

/** Lets Node keep what it compiled, where the launcher does. Without it the answer takes longer. */
function cacheCompiledCode(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  enableCompileCache(folder);
}
