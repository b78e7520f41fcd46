import type { ChatStatus } from "../../../chat/chat.ts";
import { plural } from "../../../lib/describe.ts";
import { toPrintableLine } from "../../../lib/printable.ts";
import { textWidth, truncate } from "../../../lib/terminal-text.ts";
import { beginningOf } from "../../../sessions/short-ids.ts";

/** One thing that the status line says; where not everything fits, what matters least is said more shortly, then left out. */
interface Fact {
  readonly text: string;
  readonly short: string;
  /** The greater, the sooner it gives way. */
  readonly weight: number;
}

const separator = " · ";
const longestTitle = 30;

/** Says in one line which session this is, with which model, how full its context is, and in a word whether all is saved. */
export function renderStatus(status: ChatStatus, saved: string, width: number): string {
  const facts = makeRoom(listFacts(status, saved), width);
  return truncate(join(facts), width);
}

function listFacts(status: ChatStatus, saved: string): readonly Fact[] {
  const { session, model, messages, contextTokens, contextLimit } = status;
  const [title, name] = [toPrintableLine(status.title), toPrintableLine(model)];
  const [used, most] = [describeTokens(contextTokens), describeTokens(contextLimit)];
  const facts = [
    // A title says it better than an id.
    title === ""
      ? { text: beginningOf(session), short: beginningOf(session), weight: 2 }
      : { text: beginningOf(session), short: "", weight: 6 },
    { text: truncate(title, longestTitle), short: truncate(title, longestTitle / 2), weight: 2 },
    { text: name, short: name.replace(/^[^/]*\//, ""), weight: 5 },
    { text: plural(messages, "message"), short: "", weight: 4 },
    { text: `${used} of ${most} tokens`, short: `${used}/${most}`, weight: 3 },
    { text: saved, short: saved, weight: 1 },
  ];
  return facts.filter(({ text }) => text !== "");
}

function makeRoom(facts: readonly Fact[], width: number): readonly Fact[] {
  const changes = [
    ...byWeight(facts).map((fact) => ({ fact, text: fact.short })),
    ...byWeight(facts).map((fact) => ({ fact, text: "" })),
  ];
  const shown = new Map(facts.map((fact) => [fact, fact.text]));
  const list = () => facts.map((fact) => ({ ...fact, text: shown.get(fact) ?? "" }));
  for (const { fact, text } of changes) {
    if (textWidth(join(list())) <= width) break;
    shown.set(fact, text);
  }
  return list();
}

function byWeight(facts: readonly Fact[]): readonly Fact[] {
  return [...facts].sort((one, other) => other.weight - one.weight);
}

function join(facts: readonly Fact[]): string {
  return facts
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(separator);
}

/** Writes a number of tokens as people read it: `950`, `3.4k`, `200k`, `1M`. */
function describeTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trimZero((count / 1000).toFixed(count < 9950 ? 1 : 0))}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

function trimZero(number: string): string {
  return number.replace(/\.0$/, "");
}
