import { hideSecrets } from "../../redaction/hide-secrets.ts";
import { decisionFields, type NewDecision } from "../decision.ts";
import type { Note } from "../note.ts";

/** A decision in the words of who gave it. */
interface GivenWords {
  readonly text: string;
  readonly reason?: string | undefined;
  readonly impact?: string | undefined;
}

/** What a session.md is made of in words. Names of files stay: git is asked for them. */
interface SessionWords {
  readonly goal?: string | undefined;
  readonly activeGoals?: string | undefined;
  readonly next?: string | readonly string[] | undefined;
  readonly done?: readonly string[] | undefined;
  readonly accomplished?: readonly string[] | undefined;
  readonly decisions?: readonly GivenWords[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly tone?: readonly string[] | undefined;
  readonly exceptions?: readonly GivenWords[] | undefined;
  readonly steeringRef?: string | undefined;
}

const sessionWords: readonly (keyof SessionWords)[] = [
  "goal",
  "activeGoals",
  "next",
  "done",
  "accomplished",
  "warnings",
  "tone",
  "steeringRef",
];

/**
 * Returns what somebody says for a session.md without the secrets in it; the very same where there are none. The
 * documents may be committed, and the log does not have them either.
 */
export function hideInSession<Given extends SessionWords>(given: Given): Given {
  const { decisions, exceptions } = given;
  const safe = {
    decisions: decisions && hideInGiven(decisions),
    exceptions: exceptions && hideInGiven(exceptions),
  };
  const isSafe = safe.decisions === decisions && safe.exceptions === exceptions;
  return hideIn(isSafe ? given : { ...given, ...safe }, sessionWords);
}

/** Of a secret that stands in several texts, the first reason and impact are those of the whole. */
function hideInGiven(given: readonly GivenWords[]): readonly GivenWords[] {
  const texts = given.map(({ text }) => text);
  const hidden = hideInList(texts);
  const items = hidden.map((text, index) => ({
    ...(hidden.length === texts.length ? given[index] : given[0]),
    text,
  }));
  const safe = items.map((item) => hideIn(item, ["reason", "impact"]));
  return hidden === texts && safe.every((item, index) => item === items[index]) ? given : safe;
}

/** Does the same for a decision. */
export function hideInDecision(given: NewDecision): NewDecision {
  return hideIn(given, ["summary", ...decisionFields.map(({ field }) => field)]);
}

/** Does the same for notes. */
export function hideInNotes(notes: readonly Note[]): readonly Note[] {
  const hidden = notes.map((note) => hideIn(note, ["text", "source"]));
  return hidden.every((note, index) => note === notes[index]) ? notes : hidden;
}

function hideIn<Given extends object>(given: Given, fields: readonly (keyof Given)[]): Given {
  const hidden = fields.flatMap((field) => {
    const value: unknown = given[field];
    const safe = Array.isArray(value)
      ? hideInList(value)
      : typeof value === "string"
        ? hideSecrets(value)
        : value;
    return safe === value ? [] : [[field, safe]];
  });
  return hidden.length === 0 ? given : { ...given, ...Object.fromEntries(hidden) };
}

/** A key of several lines that was pasted where one text a line is asked for is a secret only as a whole. */
function hideInList(texts: readonly string[]): readonly string[] {
  const each = texts.map((text) => hideSecrets(text));
  const joined = each.join("\n");
  const whole = hideSecrets(joined);
  if (whole !== joined) return whole.split("\n");
  return each.every((text, index) => text === texts[index]) ? texts : each;
}
