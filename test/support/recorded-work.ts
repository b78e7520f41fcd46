import { openDigests } from "../../src/digest/read-digests.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import type { ConversationLog } from "../../src/sessions/conversation-log.ts";
import type { Json, NewEntry, Part } from "../../src/sessions/entry.ts";
import { parseEntryId, parseSessionId, parseStrand } from "../../src/sessions/ids.ts";
import type { NewSession } from "../../src/sessions/session.ts";
import { collectRuns } from "../../src/work/blockers/collect-runs.ts";
import type { BlockerSettings } from "../../src/work/blockers/to-blocker.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { makeRepo } from "./git-repo.ts";
import { tempDir } from "./temp-dir.ts";

/** A minute of the day on which all of it happens. */
export const minute = (number: number) => new Date(Date.UTC(2026, 10, 15, 0, number));

let made = 0;
const named = (at: Date, entry: object, strand = "main") =>
  ({ id: parseEntryId(`entry-${++made}`), at, strand: parseStrand(strand), ...entry }) as NewEntry;

/** A message of one part, or of several. */
export const message = (at: Date, role: "user" | "assistant" | "tool", ...parts: readonly Part[]) =>
  named(at, { kind: "message", role, parts });
export const text = (words: string): Part => ({ type: "text", text: words });
export const happened = (at: Date, event: string, data: object) => named(at, { kind: "event", event, data });

/** How a tool was called and what it gave back. */
interface Run {
  readonly name?: string;
  readonly input: Json;
  readonly output?: Json;
  readonly failed?: boolean;
  /** What the client knows of the result besides. */
  readonly outcome?: Json;
  readonly call?: string;
}

/** The call of a tool, and its result a second later. */
export function ran(at: Date, { name = "Bash", input, output = "", failed, outcome, call }: Run) {
  const id = call ?? `toolu_${++made}`;
  const result = { type: "tool-result", call: id, output, ...(failed === undefined ? {} : { failed }) };
  const more = outcome === undefined ? [] : [{ type: "other", raw: { type: "tool-outcome", outcome } }];
  return [
    message(at, "assistant", { type: "tool-call", call: id, name, input }),
    named(new Date(at.getTime() + 1000), { kind: "message", role: "tool", parts: [result, ...more] }),
  ];
}

/** Where and how runs are collected, where that is not usual. */
interface CollectSite {
  readonly log?: ConversationLog;
  readonly root?: string;
  readonly settings?: BlockerSettings;
}

/** A repository that is known to a store of its own, and what was recorded in it. */
export async function openRecordedWork() {
  const dir = await tempDir();
  const root = dir.join("shop");
  await makeRepo(root, ["first"]);
  const here = await openProject({ cwd: root, home: dir.join("home"), store: undefined }, "write");
  const { log } = here.store;
  return {
    ...{ dir, root, here, log },
    /** Records entries in a session of Claude Code in the repository, unless told. */
    async record(id: string, entries: readonly NewEntry[], more: Partial<NewSession> = {}): Promise<void> {
      const start = { project: here.project.id, client: "claude-code", machine: "here" } as const;
      const startedAt = entries[0]?.at ?? minute(0);
      await log.open({ ...start, id: parseSessionId(id), cwd: here.root, startedAt, ...more }, entries);
    },
    /** Returns the runs of checks from a moment on, oldest first. */
    async collect(since?: Date, { settings = {}, ...site }: CollectSite = {}) {
      const { digests } = here.store;
      const place = { log, project: here.project, root: here.root, machine: "here", ...site };
      const desk = {
        site: { ...place, clock: systemClock, random: systemRandom },
        digests: openDigests({ log: place.log, digests }),
        settings,
      };
      return (await collectRuns(desk, since)).runs.toSorted((one, other) => one.at - other.at);
    },
    [Symbol.asyncDispose]: async () => {
      await here[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
