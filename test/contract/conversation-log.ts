import fc from "fast-check";
import { describe, it } from "vitest";
import { appendingContract } from "./appending.ts";
import { deletingContract } from "./deleting.ts";
import { digestStoreContract } from "./digest-store.ts";
import { forksContract } from "./forks.ts";
import { ingestingContract } from "./ingesting.ts";
import { leasesContract } from "./leases.ts";
import { anyLogCommands } from "./log-commands.ts";
import { compare, openInBoth } from "./log-model.ts";
import { projectsContract } from "./projects.ts";
import { replicaRefusalsContract } from "./replica-refusals.ts";
import { replicatingContract } from "./replicating.ts";
import { scrubNotesContract } from "./scrub-notes.ts";
import { scrubbingContract } from "./scrubbing.ts";
import { secretsContract } from "./secrets.ts";
import { sessionsContract } from "./sessions.ts";
import type { TestLog } from "./test-log.ts";
import { verifyingContract } from "./verifying.ts";

/** What every engine must do. Add an engine by calling this once with a way to open it. */
export function conversationLogContract(open: () => Promise<TestLog>): void {
  describe("appending and reading", () => appendingContract(open));
  describe("sessions", () => sessionsContract(open));
  describe("forks", () => forksContract(open));
  describe("deleting", () => deletingContract(open));
  describe("verifying", () => verifyingContract(open));
  describe("leases", () => leasesContract(open));
  describe("ingesting", () => ingestingContract(open));
  describe("projects", () => projectsContract(open));
  describe("secrets", () => secretsContract(open));
  describe("scrubbing", () => scrubbingContract(open));
  describe("notes of scrubbing", () => scrubNotesContract(open));
  describe("digests", () => digestStoreContract(open));
  describe("replicating", () => {
    replicatingContract(open);
    replicaRefusalsContract(open);
  });

  it("does what arrays in memory do, for any series of commands", async () => {
    await fc.assert(
      fc.asyncProperty(anyLogCommands, async (commands) => {
        await using real = await open();
        const model = { sessions: new Map(), deleted: new Set<string>(), made: 0 };
        await openInBoth(model, real);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        for (const session of model.sessions.values()) await compare(session, real);
      }),
      { numRuns: 25 },
    );
  });
}
