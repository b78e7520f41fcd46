import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { findBlocker } from "../../../src/project/work/find-blocker.ts";
import { minute, openRecordedWork, ran } from "../../support/recorded-work.ts";

it("finds what stops the work as the user has set it", async () => {
  await using work = await openRecordedWork();
  const { log, here } = work;
  const site = { log, project: here.project, root: here.root, home: here.home };
  const output = "Exit code 2\nfrob: cannot go on\n";
  await work.record("one", ran(minute(1), { input: { command: "make" }, output, failed: true }));
  const usual = { type: "build_error", recoveryAgent: "cpp-builder", maxRecoveryAttempts: 3 };
  expect(await findBlocker(site, minute(0))).toMatchObject(usual);
  await writeFile(
    `${here.home}/config.yaml`,
    [
      "blockers:",
      "  patterns:",
      "    - { tool: frob, type: design_issue, pattern: '^frob: cannot ', severity: low, resolution: Think. }",
      "recoveryAgents: { design_issue: thinker }",
      "maxRecoveryAttempts: 0",
    ].join("\n"),
  );
  expect(await findBlocker(site, minute(0))).toEqual({
    ...{ type: "design_issue", severity: "low", resolution: "Think.", errorPattern: "frob: cannot go on" },
    description: "The design has an open issue in `make`: frob: cannot go on",
    detectedAt: new Date(minute(1).getTime() + 1000),
    ...{ isAutoDetected: true, recoveryAgent: "thinker", recoveryAttempted: 0, maxRecoveryAttempts: 0 },
  });
  await work.record("two", ran(minute(2), { input: { command: "make" } }));
  expect(await findBlocker(site, minute(0))).toBeUndefined();
});
