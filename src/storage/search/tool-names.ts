import type { Entry } from "../../sessions/entry.ts";
import { type EntryTexts, textsOf } from "./entry-texts.ts";
import { unlessBad } from "./index-entries.ts";

/** Calls of one session that are remembered; their results follow soon. */
const mostCalls = 1000;

/** Remembers which tool was called, because a result names the call only. */
export class ToolNames {
  #session: number | undefined;
  #calls = new Map<string, string>();

  /** Returns the names of the tools that an entry calls or answers for, as a column keeps them. */
  async follow(
    session: number,
    { calls, answers }: EntryTexts,
    readBefore: () => Promise<readonly Entry[]>,
  ): Promise<string | null> {
    if (this.#session !== session) {
      this.#session = session;
      this.#calls = new Map();
    }
    if (answers.some((call) => !this.#calls.has(call))) this.#learn(await readBefore());
    for (const [call, tool] of calls) this.#calls.set(call, tool);
    // What is still unknown is not looked for again.
    for (const call of answers) this.#calls.set(call, this.#calls.get(call) ?? "");
    const names = [
      ...calls.map(([, tool]) => tool),
      ...answers.map((call) => this.#calls.get(call) ?? ""),
    ].filter(Boolean);
    if (this.#calls.size > mostCalls) this.#calls = new Map([...this.#calls].slice(-mostCalls / 2));
    return names.length === 0 ? null : ` ${[...new Set(names.map(foldTool))].join(" ")} `;
  }

  #learn(entries: readonly Entry[]): void {
    for (const entry of entries)
      for (const [call, tool] of unlessBad(() => textsOf(entry)?.calls) ?? []) this.#calls.set(call, tool);
  }
}

/** Returns the name of a tool as it is compared: in one word, whatever its case. */
export function foldTool(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\s+/g, "_")
    .slice(0, 100)
    .toWellFormed()
    .replaceAll("\0", "");
}
