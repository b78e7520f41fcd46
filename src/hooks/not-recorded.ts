import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../lib/app-error.ts";
import { parseIfJson } from "../lib/parse-if-json.ts";
import { describeNotRecorded, type NotRecorded } from "../recording/not-recorded.ts";
import { isPrivateAt, noteTold, readPrivateSession } from "../recording/private-sessions.ts";
import { isRecordedIn, parsePlainRules, type RecordRule } from "../recording/record-rules.ts";
import type { Heard } from "./answer-event.ts";
import { askCarryon } from "./ask-carryon.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { HookEvent } from "./to-event.ts";

/** An event of a session. */
type Told = Pick<HookEvent, "event" | "session">;

/** Where something happened, and how the client told of it. */
type Place = Pick<Heard, "cwd" | "input">;

/** Tells why an event is not recorded; undefined where it is. */
export async function whyNot(
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
export function isToTell({ home }: HookSurroundings, { event, session }: Told): boolean {
  return event === "UserPromptSubmit" && readPrivateSession(home, session)?.isTold === false;
}

/** Returns the surroundings of a hook whose next answer says why nothing is recorded, where its client shows that. */
export function tellingWhy(surroundings: HookSurroundings, told: Told, why: NotRecorded): HookSurroundings {
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
