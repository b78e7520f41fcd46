import { isDeeperThan } from "../../lib/json.ts";
import { type MessageContent, maxDepth, type NewEntry, type Part } from "../../sessions/entry.ts";
import { isName, mainStrand, parseSessionId } from "../../sessions/ids.ts";
import { afterReset } from "../../sessions/visible-talk.ts";
import { makeEntry } from "../talk/make-entry.ts";
import type { Talk } from "../talk/take-talk.ts";
import { parseSexp, type Sexp } from "./parse-sexp.ts";
import { bad, isNil, readFields, readJson, readList, readText } from "./read-fields.ts";
import { listReplMessages } from "./repl-messages.ts";

/** Reads the form that the REPL saves as a session; throws `BadImport` for anything else. */
export function parseReplSession(text: string): Talk {
  const form = parseSexp(text);
  const [tag, version, ...rest] = form.type === "list" ? form.items : [];
  if (tag?.type !== "symbol" || tag.name !== ":repl-session") throw bad(form, "it is no :repl-session");
  checkVersion(version, form);
  const fields = readFields(rest, form);
  const id = readText(requireField(fields, ":id", form));
  if (!isName(id)) throw bad(form, ":id must be 1 to 128 letters, digits, - and _");
  const startedAt = readMoment(requireField(fields, ":created-at", form));
  const messages = readList(fields.get(":messages")).filter((each) => !isSystem(each));
  checkCount(fields.get(":message-count"), readList(fields.get(":messages")).length);
  const entries = messages.map((each, index) => toEntry(id, each, { number: index + 1, startedAt }));
  return {
    id: parseSessionId(id),
    client: "carryon-chat",
    startedAt,
    entries: withSummary(entries, messages, { id, value: fields.get(":summary"), startedAt }),
    alternatives: (known) => [known, afterReset(known)],
    tell: (told) => [
      listReplMessages(told).map(({ entry, message: { at: _at, ...message } }) => ({
        entry,
        text: JSON.stringify(message),
      })),
    ],
  };
}

function checkVersion(version: Sexp | undefined, form: Sexp): void {
  const given = readFields(readList(version), form).get(":session-version");
  if (given?.type !== "number") throw bad(form, "(:session-version 1) is missing");
  if (given.value !== 1) throw bad(given, `version ${given.value} of the form is not known`);
}

function checkCount(count: Sexp | undefined, messages: number): void {
  if (count === undefined) return;
  if (count.type !== "number" || count.value !== messages)
    throw bad(count, `:message-count does not fit: there are ${messages} messages`);
}

function requireField(fields: ReadonlyMap<string, Sexp>, name: string, at: Sexp): Sexp {
  const value = fields.get(name);
  if (value === undefined) throw bad(at, `${name} is missing`);
  return value;
}

/** Prompts of the system are not part of a session. */
function isSystem(message: Sexp): boolean {
  const role = readFields(readList(message), message).get(":role");
  return role?.type === "symbol" && role.name === ":system";
}

/** What the clock of Lisp counts from. */
const universalTimeOf1970 = 2_208_988_800;

/** Reads a time as we write it, or as Lisp counts it: seconds since 1900. */
function readMoment(value: Sexp): Date {
  const at =
    value.type === "number"
      ? new Date((value.value - universalTimeOf1970) * 1000)
      : new Date(readText(value));
  if (Number.isNaN(at.getTime())) throw bad(value, "a time such as 2026-11-15T14:30:22.000Z is missing");
  return at;
}

/** Puts the summary after what it stands for, which the messages say themselves; before all of them where none does. */
function withSummary(
  entries: readonly NewEntry[],
  messages: readonly Sexp[],
  {
    id,
    value,
    startedAt: at,
  }: { readonly id: string; readonly value: Sexp | undefined; readonly startedAt: Date },
): readonly NewEntry[] {
  if (value === undefined || isNil(value)) return entries;
  const place = { strand: mainStrand, number: 0, at };
  const summary = { kind: "summary", text: readText(value) } as const;
  const last = messages.findLastIndex(isSummarized);
  const replaces = entries[last]?.id;
  if (replaces === undefined) return [makeEntry(id, place, { ...summary, replaces: null }), ...entries];
  const kept = entries.slice(0, last).filter((_entry, index) => !isSummarized(messages[index]));
  const named = kept.length === 0 ? {} : { kept: kept.map((entry) => entry.id) };
  const made = makeEntry(id, place, { ...summary, replaces, ...named });
  return [...entries.slice(0, last + 1), made, ...entries.slice(last + 1)];
}

function isSummarized(message: Sexp | undefined): boolean {
  if (message === undefined) return false;
  const mark = readFields(readList(message), message).get(":summarized");
  return mark?.type === "symbol" && mark.name === ":true";
}

function toEntry(
  id: string,
  form: Sexp,
  { number, startedAt }: { readonly number: number; readonly startedAt: Date },
): NewEntry {
  const fields = readFields(readList(form), form);
  const timestamp = fields.get(":timestamp");
  const at = timestamp === undefined || isNil(timestamp) ? startedAt : readMoment(timestamp);
  return makeEntry(id, { strand: mainStrand, number, at }, toContent(fields, form));
}

function toContent(fields: ReadonlyMap<string, Sexp>, form: Sexp): MessageContent {
  const role = readRole(requireField(fields, ":role", form));
  const content = fields.get(":content");
  const text = content === undefined || isNil(content) ? "" : readText(content);
  const call = fields.get(":tool-call-id");
  if (role === "tool" && call !== undefined && !isNil(call))
    return { kind: "message", role, parts: [{ type: "tool-result", call: readText(call), output: text }] };
  const calls = readList(fields.get(":tool-calls")).map(toCall);
  const words: readonly Part[] = text === "" && calls.length > 0 ? [] : [{ type: "text", text }];
  return { kind: "message", role, parts: [...words, ...calls] };
}

function readRole(value: Sexp): MessageContent["role"] {
  const name = value.type === "symbol" ? value.name : "";
  if (name === ":user" || name === ":assistant" || name === ":tool")
    return name.slice(1) as MessageContent["role"];
  throw bad(value, ":role must be :user, :assistant, :tool or :system");
}

function toCall(form: Sexp): Part {
  const fields = readFields(readList(form), form);
  const given = fields.get(":arguments");
  const input = given === undefined ? null : readJson(given);
  if (isDeeperThan(input, maxDepth)) throw bad(form, `it is nested deeper than ${maxDepth} levels`);
  const call = readText(requireField(fields, ":id", form));
  return { type: "tool-call", call, name: readText(requireField(fields, ":name", form)), input };
}
