import type { EntryContent, MessageContent } from "../../sessions/entry.ts";
import { isOwnCall, isOwnEcho } from "../../sessions/own-echo.ts";

/** A result comes soon after its call; more need not be kept. */
const remembered = 64;

/** Marks what asks Carryon for something, and what Carryon answered: a result does not say itself which tool it is of. */
export class EchoMarker {
  #calls: readonly string[];

  constructor(calls: readonly string[]) {
    this.#calls = calls;
  }

  /** The calls of Carryon that have no result yet. */
  get calls(): readonly string[] {
    return this.#calls;
  }

  mark(content: EntryContent): EntryContent {
    if (content.kind !== "message") return content;
    const asked = content.parts.flatMap((part) =>
      part.type === "tool-call" && isOwnCall(part) ? [part.call] : [],
    );
    const isEcho = isOwnEcho(content) || this.#isAnswer(content);
    const answered = new Set(content.parts.map((part) => (part.type === "tool-result" ? part.call : "")));
    this.#calls = [...this.#calls, ...asked].filter((call) => !answered.has(call)).slice(-remembered);
    return isEcho ? { ...content, echo: true } : content;
  }

  #isAnswer({ parts }: MessageContent): boolean {
    const told = parts.filter(({ type }) => type !== "other");
    return (
      told.length > 0 && told.every((part) => part.type === "tool-result" && this.#calls.includes(part.call))
    );
  }
}
