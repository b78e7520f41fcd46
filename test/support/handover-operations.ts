import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewDecision } from "../../src/handover/decision.ts";
import type { RecordSite } from "../../src/handover/document-record.ts";
import type { Note } from "../../src/handover/note.ts";
import { ProjectHandover } from "../../src/handover/project-handover.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { openStore } from "../../src/storage/open-store.ts";
import type { HandoverView } from "./handover-view.ts";
import { noWarning } from "./no-warning.ts";

/** Something that is done to a handover. It can be done again after it has failed. */
export interface HandoverOperation {
  /** Makes what it finds. */
  readonly prepare: (handover: ProjectHandover) => Promise<unknown>;
  readonly run: (handover: ProjectHandover) => Promise<unknown>;
  /** What must be as if nothing had gone wrong when it has been done again: all documents but decisions.md, unless told. */
  readonly settled?: (view: HandoverView) => unknown;
}

/** Returns a decision to be made. */
export const decisionOf = (summary: string): NewDecision => ({
  ...({ type: "USER_DECISION", summary, context: "a fault", decision: summary } as const),
  ...{ reason: "to see what is left", impact: "none", source: "test" },
});

/** Returns a note to be taken. */
export const noteOf = (text: string, tag: Note["tag"] = "PATTERN", task = 1): Note => ({
  ...{ tag, text, source: `login Builder, task ${task}` },
});

/** Begins a session that has decided something and has a draft with all that is carried forward. */
async function beginSession(handover: ProjectHandover): Promise<void> {
  await handover.decide({ ...decisionOf("begin"), type: "SESSION_START" });
  await handover.decide(decisionOf("Use SQLite"));
  await handover.draft({ done: ["began"], goal: "Ship", next: "Ask Ada" });
}

/** Everything that changes the documents of a handover. */
export const handoverOperations = {
  "a first decision": {
    prepare: async () => undefined,
    run: (handover) => handover.decide(decisionOf("Use SQLite")),
  },

  "a decision after a torn one": {
    prepare: async (handover) => {
      for (const summary of ["one", "決定", "three"]) await handover.decide(decisionOf(summary));
      await appendFile(handover.paths.decisions, "\n[2020-02-01T12:00:00+00:00] D4: USER_DEC");
    },
    run: (handover) => handover.decide(decisionOf("five")),
  },

  "a draft": {
    prepare: beginSession,
    run: (handover) => handover.draft({ done: ["went on"] }),
  },

  "a draft over the text of another hand": {
    prepare: async (handover) => {
      await beginSession(handover);
      const { session } = handover.paths;
      await writeFile(session, (await readFile(session, "utf8")).replace("- began", "- began, by hand"));
    },
    run: (handover) => handover.draft({ done: ["went on"] }),
  },

  "a handover": {
    prepare: beginSession,
    run: (handover) =>
      handover.polish({
        decisions: [{ text: "Passkeys only", reason: "r", impact: "none" }],
        tone: ["calm"],
      }),
    // Who hands over again archives what was written before it was cut off.
    settled: ({ session, buffer }) => ({ session, buffer }),
  },

  notes: {
    prepare: (handover) => handover.note([noteOf("api: retry twice")]),
    run: (handover) =>
      handover.note([noteOf("api: wait in between"), noteOf("the disk was full", "INCIDENT")]),
  },

  "a flush": {
    prepare: async (handover) => {
      await handover.note([noteOf("api: retry twice"), noteOf("api: wait in between")]);
      await handover.flush();
      await handover.note([
        noteOf("api: retry twice", "PATTERN", 2),
        noteOf("the disk was full", "INCIDENT"),
      ]);
    },
    run: (handover) => handover.flush(),
  },
} satisfies Readonly<Record<string, HandoverOperation>>;

export type HandoverOperationName = keyof typeof handoverOperations;

/** Returns the folders of a scene: the home of its store, and the project. */
export function handoverSceneIn(folder: string): { readonly home: string; readonly work: string } {
  return { home: join(folder, "home"), work: join(folder, "work") };
}

/** The handover of a scene, and where it is written down. */
export interface HandoverScene extends AsyncDisposable {
  readonly handover: ProjectHandover;
  readonly site: RecordSite;
}

// Long ago, so that every document is younger; and always the same, so that equal work leaves equal documents.
const clock = { now: () => new Date("2020-02-01T12:00:00Z") };

/** Opens the handover of a scene. Git, which would take half of the time, is not asked for anything. */
export async function openHandoverScene(folder: string): Promise<HandoverScene> {
  const { home, work: root } = handoverSceneIn(folder);
  const store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/work"], name: "work" });
  const site = { log: store.log, project, root, machine: "here", clock, random: systemRandom };
  const outsideGit = { git: undefined, home, warn: noWarning };
  const handover = new ProjectHandover(site, { root, sddDir: ".claude/sdd" }, outsideGit);
  return { handover, site, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
