import { accessSync, constants, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { parseIfJson } from "../lib/json.ts";
import { describeNotRecorded, type NotRecorded } from "../recording/not-recorded.ts";
import { isPrivateAt, noteTold, readPrivateSession } from "../recording/private-sessions.ts";
import { isRecordedIn, parsePlainRules, type RecordRule } from "../recording/record-rules.ts";
import type { NewInboxItem } from "../storage/new-inbox-item.ts";
import { putDirectly } from "../storage/put-directly.ts";
import { writeSpoolFile } from "../storage/write-spool-file.ts";
import { answerEvent, type Heard } from "./answer-event.ts";
import { askCarryon, type LaunchSite, placeOf, readLaunch } from "./ask-carryon.ts";
import { collectTexts } from "./collect-texts.ts";
import { mayHoldSecret } from "./secret-signs.ts";
import type { HookSurroundings } from "./surroundings.ts";
import { type HookEvent, parseWireEvent, toEvent } from "./wire.ts";

/** What a client sends is a few megabytes at the very most; more is not read into memory. */
const inputLimit = 67_108_864;

/**
 * Records what a client says on standard input, and answers it where gates or Carryon have something to say.
 *
 * Never throws: the client must not notice a failure.
 */
export async function runHook(surroundings: HookSurroundings): Promise<void> {
  try {
    const heard = hear(surroundings);
    if (heard === undefined) return;
    await answer(surroundings, heard).catch((error: unknown) => noteError(surroundings, error));
    if (heard.event.startsSync) startSync({ ...surroundings, cwd: heard.cwd });
  } catch (error) {
    noteError(surroundings, error);
  }
}

interface HeardEvent extends Heard {
  readonly event: HookEvent;
}

/** Returns what the client says, or undefined where that is nothing to record. */
function hear({ home }: HookSurroundings): HeardEvent | undefined {
  const input = readInput(inputLimit);
  if (input === undefined) throw new Error("a payload was too large to be read");
  const wire = parseWireEvent(input);
  if (wire === undefined) throw new Error("a payload could not be understood");
  const event = toEvent(wire);
  return event && { event, wire, input, cwd: String(event.payload.cwd ?? home) };
}

async function answer(surroundings: HookSurroundings, { event, ...heard }: HeardEvent): Promise<void> {
  const why = await whyNot(surroundings, event, heard);
  if (why === undefined && !record(surroundings, event)) return;
  const told = why === undefined ? surroundings : tellingWhy(surroundings, event, why);
  const said = await answerEvent(told, event, heard);
  if (said !== undefined) told.say(said);
  else if (why !== undefined && isToTell(surroundings, event)) told.say("{}");
}

/** What could not be recorded is answered nevertheless. Returns whether this is the first to hear of it. */
function record(surroundings: HookSurroundings, event: HookEvent): boolean {
  try {
    return recordEvent(surroundings, event, new Date());
  } catch (error) {
    noteError(surroundings, error);
    return true;
  }
}

function noteError(surroundings: HookSurroundings, error: unknown): void {
  try {
    surroundings.note(error instanceof Error ? error.message : String(error));
  } catch {
    // Nothing is left to try, and the client goes on.
  }
}

/**
 * Starts `carryon sync` and does not wait for it; does nothing where it is not known how.
 *
 * It is the last thing that a hook does: this process mostly ends in it.
 */
function startSync(site: LaunchSite): void {
  const launch = readLaunch(site.home);
  if (launch === undefined) return;
  const [path, args] = [launch.node, [launch.launcher, "sync", "--quiet", "--recorded"]];
  const place = placeOf(site);
  becomeStarter({ path, args, ...place });
  const child = process
    .getBuiltinModule("node:child_process")
    .spawn(path, args, { ...place, detached: true, stdio: "ignore" });
  // Sync catches up whenever it is started next.
  child.on("error", () => undefined);
  child.unref();
}

/** Reads standard input to its end; undefined when there is more of it than the limit. */
function readInput(limit: number): string | undefined {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const length = readChunk(chunk);
    if (length === 0) return Buffer.concat(chunks, size).toString();
    size += length;
    if (size > limit) return undefined;
    chunks.push(chunk.subarray(0, length));
  }
}

function readChunk(chunk: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      // Windows says so at the end of a pipe.
      if (isSystemError(error, "EOF")) return 0;
      // Whoever shares the pipe may have made it one that does not wait.
      if (!isSystemError(error, "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** A program that is started and left to itself, and where. */
interface Program {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A shell, and what gives a program a session of its own, so that it outlives the client and its terminal. */
const [shell, apart] = ["/bin/sh", "/usr/bin/setsid"];

/** Whatever fails, it ends with 0 and in silence: a client would take anything else for an answer. */
const script = `trap 'exit 0' EXIT; exec </dev/null >/dev/null 2>&1; ${apart} "$@" &`;

/** The system hands on as many variables as it has handed to us; an older Node does not survive its refusal. */
const mostCharacters = 100_000;

/**
 * Becomes a shell that starts a program and ends; returns where the system has no way to that. It takes a third of the time
 * in which Node loads what starts programs, starts one, and puts itself in order before it ends.
 */
function becomeStarter({ path, args, cwd, env }: Program): void {
  if (process.platform !== "linux" || process.execve === undefined || !path.startsWith("/")) return;
  if (JSON.stringify(env).length > mostCharacters) return;
  try {
    for (const needed of [shell, apart]) accessSync(needed, constants.X_OK);
    process.chdir(cwd);
    process.execve(shell, ["sh", "-c", script, "sh", path, ...args], { ...env });
  } catch {
    // One of them is missing or not for us: whoever called goes another way.
  }
}

/** How long the client waits at most for the store. */
const patienceMs = 200;

/** What is larger than this, or may hold a secret, is left to the rules. */
const plain = { depth: 60, values: 5000, characters: 65_536 };

/**
 * Stores an event durably: in the inbox, or where that cannot be written in time, in the spool. Tells whether this is
 * the first hook to hear of it: where two are installed, one of them answers.
 */
function recordEvent({ home, loadRedaction, note }: HookSurroundings, event: HookEvent, now: Date): boolean {
  const told = { session: event.session, payload: event.payload };
  const texts = collectTexts(told, plain);
  const isPlain = texts !== undefined && !mayHoldSecret(texts);
  const { session, payload } = isPlain ? told : loadRedaction().makeSafe(told);
  const item: NewInboxItem = {
    receivedMs: now.getTime(),
    client: event.client,
    event: event.event,
    session,
    payload: JSON.stringify(payload),
  };
  try {
    const [findsTwin, holds] = [event.asks !== "nobody", event.asks === "carryon"];
    return putDirectly(join(home, "store.db"), item, { withinMs: patienceMs, findsTwin, holds });
  } catch (error) {
    spool(home, item, error);
    note(`${item.event} went into the spool: ${describe(error)}`);
    return true;
  }
}

function spool(home: string, item: NewInboxItem, reason: unknown): void {
  try {
    writeSpoolFile(home, item);
  } catch (error) {
    throw new Error(`${item.event} is lost: ${describe(reason)}; ${describe(error)}`, { cause: error });
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An event of a session. */
type Told = Pick<HookEvent, "event" | "session">;

/** Where something happened, and how the client told of it. */
type Place = Pick<Heard, "cwd" | "input">;

/** Tells why an event is not recorded; undefined where it is. */
async function whyNot(
  surroundings: HookSurroundings,
  { session }: Told,
  place: Place,
): Promise<NotRecorded | undefined> {
  const known = readPrivateSession(surroundings.home, session);
  if (known !== undefined && isPrivateAt(known, Date.now())) return "session";
  return (await isFolderRecorded(surroundings, place)) ? undefined : "folder";
}

/** How long a client waits at most for whether its folder is recorded. */
const withinMs = 5000;

async function isFolderRecorded(
  { home, env, note }: HookSurroundings,
  { cwd, input }: Place,
): Promise<boolean> {
  const rules = readRules(home);
  if (rules !== undefined) return isRecordedIn(rules, cwd);
  try {
    const answer = await askCarryon({ home, env, cwd, what: "record", input, withinMs });
    return parseIfJson(answer ?? "") === true;
  } catch (error) {
    // The user may want something not to be recorded, and nobody can say what.
    note(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Returns which folders are recorded; undefined where only Carryon can tell. */
function readRules(home: string): readonly RecordRule[] | undefined {
  try {
    return parsePlainRules(readFileSync(join(home, "config.yaml"), "utf8"));
  } catch (error) {
    return isSystemError(error, "ENOENT", "ENOTDIR") ? [] : undefined;
  }
}

/** Tells whether the client hears of it although it has asked nothing: once after the session became private. */
function isToTell({ home }: HookSurroundings, { event, session }: Told): boolean {
  return event === "UserPromptSubmit" && readPrivateSession(home, session)?.isTold === false;
}

/** Returns the surroundings of a hook whose next answer says why nothing is recorded, where its client shows that. */
function tellingWhy(surroundings: HookSurroundings, told: Told, why: NotRecorded): HookSurroundings {
  const { home, say } = surroundings;
  if (told.event !== "SessionStart" && !isToTell(surroundings, told)) return surroundings;
  return {
    ...surroundings,
    say: (text) => {
      const answer = parseIfJson(text);
      const isObject = typeof answer === "object" && answer !== null;
      say(isObject ? JSON.stringify({ ...answer, systemMessage: describeNotRecorded(why) }) : text);
      const known = readPrivateSession(home, told.session);
      if (known?.isTold === false) noteTold(home, told.session, known);
    },
  };
}
