import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import { plural } from "../../lib/describe.ts";
import { rightLine, workDone, workReopened, wrongLine } from "../../sessions/describing-events.ts";
import type { Json, JsonObject } from "../../sessions/entry.ts";
import { broughtPrefix, mergedEvent, mergingEvent } from "../../sessions/make-merge-block.ts";
import { isScrubNote, scrubbedEvent } from "../../sessions/scrub-note.ts";
import { describeValue } from "./describe-value.ts";

/** Says in one line what both sides of a merge say differently. */
export function describeConflict(conflict: JsonObject): string {
  const [left, right] = [toWords(conflict.left), toWords(conflict.right)];
  switch (textOf(conflict, "type")) {
    case "file":
      return `both changed ${textOf(conflict, "path") ?? ""}`;
    case "decision":
      return `decided differently: “${left}” and “${right}”`;
    case "title":
      return `the title is “${left}” here and “${right}” there`;
    case "tags":
      return `the tags are ${left} here and ${right} there`;
    default:
      return describeValue(conflict);
  }
}

function toWords(value: Json = ""): string {
  return Array.isArray(value) ? value.map(describeValue).join(", ") : describeValue(value);
}

type Teller = (data: JsonObject) => string | undefined;

/** Why a client says that a session ended, in words; its other reasons are told as they are. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["clear", "with /clear"],
  ["logout", "by logging out"],
  ["resume", "because another session was resumed"],
  ["prompt_input_exit", "by the user"],
  ["other", ""],
]);

/** What each known event says beside its name. */
const tellers: ReadonlyMap<string, Teller> = new Map<string, Teller>([
  ["titled", ({ title }) => quote(title)],
  ["tagged", ({ add, remove }) => [...mark("+", add), ...mark("−", remove)].join(" ")],
  [wrongLine, ({ line }) => quote(line)],
  [rightLine, ({ line }) => quote(line)],
  [workDone, () => ""],
  [workReopened, () => ""],
  ["ended", describeEnd],
  ["interrupted", describeEnd],
  ["resumed", () => ""],
  ["cancelled", () => "by the user"],
  ["command", (data) => join([textOf(data, "name"), textOf(data, "args")])],
  ["command-output", (data) => textOf(data, "text")],
  ["notification", (data) => readMarkup(textOf(data, "text"))],
  ["notice", describeHook],
  ["context", describeHook],
  ["hook-blocked", describeHook],
  ["hook-failed", describeHook],
  ["attached", (data) => textOf(data, "location") ?? textOf(data, "name")],
  ["file-changed", (data) => textOf(data, "location") ?? textOf(data, "name")],
  ["api-error", describeApiError],
  ["pull-request", (data) => join([`#${describeValue(data.number ?? "")}`, textOf(data, "url")])],
  ["found", ({ entry }) => `${describeValue(entry ?? "")} is in the transcript`],
  [scrubbedEvent, describeScrub],
  [mergingEvent, describeMerging],
  [
    mergedEvent,
    ({ entries }) =>
      typeof entries === "number"
        ? `${plural(entries, "entry", "entries")} ${entries === 1 ? "ends" : "end"} here`
        : undefined,
  ],
]);

/** Says in one line what happened, beside the name of the event; what is not known is told field by field. */
export function describeEvent(event: string, data: JsonObject): string {
  // A field that is not what we know it to be is better told than left out.
  const known = event.startsWith(broughtPrefix) ? event.slice(broughtPrefix.length) : event;
  return (tellers.get(event) ?? tellers.get(known))?.(data) ?? describeValue(data);
}

function describeEnd({ reason }: JsonObject): string | undefined {
  return typeof reason === "string" ? (reasons.get(reason) ?? reason) : undefined;
}

/** Says what a hook or the client said, and which hook it was. */
function describeHook(data: JsonObject): string | undefined {
  const [hook, text] = [textOf(data, "hook"), textOf(data, "text")];
  return text === undefined ? undefined : join([hook && `${hook}:`, text]);
}

function describeApiError(data: JsonObject): string | undefined {
  const { status, retryAttempt: attempt } = data;
  const again = typeof attempt === "number" ? `(attempt ${attempt})` : undefined;
  return join([typeof status === "number" ? String(status) : undefined, textOf(data, "text"), again]);
}

/** Says how many entries were scrubbed; which they are is of use to `verify` only. */
function describeScrub(data: JsonObject): string | undefined {
  const note = { event: scrubbedEvent, data };
  if (!isScrubNote(note)) return undefined;
  return `a secret was taken out of ${plural(note.data.entries.length, "entry", "entries")}`;
}

function quote(value: unknown): string | undefined {
  return typeof value === "string" ? `“${value}”` : undefined;
}

function mark(sign: string, tags: unknown): readonly string[] {
  return Array.isArray(tags) ? tags.map((tag) => `${sign}${tag}`) : [];
}

function join(words: readonly (string | undefined)[]): string | undefined {
  return words.filter((word) => word !== undefined && word !== "").join(" ") || undefined;
}

/** Returns what a notice of the client says: its summary where it has one, else its words without the tags. */
function readMarkup(text = ""): string {
  const [, summary] = /<summary>([^<]*)<\/summary>/.exec(text) ?? [];
  return summary ?? text.replace(/(?:\s|<[^<>]{1,100}>)+/g, " ").trim();
}

/** Says how many entries of which session follow, and how much it says differently. */
function describeMerging({ from, entries, conflicts }: JsonObject): string | undefined {
  if (!isJsonObject(from) || typeof entries !== "number") return undefined;
  const [session, title, machine] = [textOf(from, "session"), textOf(from, "title"), textOf(from, "machine")];
  const path = typeof from.path === "number" ? `, the path to #${from.path}` : "";
  const differing = Array.isArray(conflicts) ? conflicts.length : 0;
  return join([
    ...(differing === 0 ? [] : [`${plural(differing, "conflict")};`]),
    `${plural(entries, "entry", "entries")} of ${session ?? ""}${path}`,
    quote(title),
    machine && `(${machine})`,
  ]);
}

/** Lists what a merge found that both say differently, a line each; nothing for other events. */
export function listConflicts(event: string, { conflicts }: JsonObject): readonly string[] {
  if (event !== mergingEvent || !Array.isArray(conflicts)) return [];
  return conflicts.filter(isJsonObject).map(describeConflict);
}
