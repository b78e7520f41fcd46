import { chainHash, chainStart, sha256 } from "../../src/sessions/chain.ts";
import { type EntryId, mainStrand, parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import type { LinkedEntry } from "../../src/sessions/replica.ts";
import type { TestLog } from "../contract/test-log.ts";
import { later, start } from "./entries.ts";

/** Makes sessions of the given lengths in one transaction, each with other words. */
export async function makeSessions(
  { replica, project }: Pick<TestLog, "replica" | "project">,
  lengths: readonly number[],
): Promise<void> {
  await replica.receive(async (intake) => {
    for (const [index, length] of lengths.entries()) {
      const id = parseSessionId(`many-${index}`);
      const entries = makeLinked(`m${index}`, length);
      await intake.begin(
        {
          ...{ id, project: { id: project, name: "test" }, client: "carryon-append", clientSessionId: null },
          ...{ title: null, cwd: "/work", branch: null, machine: "here", startedAt: start, forkedFrom: null },
          ...{ entries: length, head: entries.at(-1)?.hash ?? null },
        },
        null,
      );
      for (let from = 0; from < length; from += 500) await intake.add(id, entries.slice(from, from + 500));
    }
  });
}

/** Makes messages in a chain, the longest some kilobytes. */
function makeLinked(name: string, length: number): readonly LinkedEntry[] {
  let [before, parent]: [string, EntryId | null] = [chainStart, null];
  return Array.from({ length }, (_, index) => {
    const [id, at] = [parseEntryId(`${name}-${index}`), later(index)];
    const text = `${name} says ${index} ${"and more ".repeat(index % 7 === 0 ? 600 : 5)}`;
    const body = JSON.stringify({ role: "user", parts: [{ type: "text", text }] });
    const link = {
      id,
      parent,
      strand: mainStrand,
      kind: "message",
      atMs: at.getTime(),
      bodyHash: sha256(body),
    };
    const entry = {
      id,
      parent,
      strand: mainStrand,
      kind: "message",
      at,
      body,
      seq: index + 1,
      scrubbedFrom: null,
    };
    before = chainHash(before, link);
    parent = id;
    return { ...entry, hash: before };
  });
}
