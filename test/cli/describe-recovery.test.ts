import { expect, it } from "vitest";
import { describeRecovery } from "../../src/work/describe-recovery.ts";
import type { Recovery } from "../../src/work/recover.ts";
import { blocker } from "../support/blocked-project.ts";

type Ran = Extract<Recovery, { readonly type: "ran" }>;

const exited = (code: number) => ({ type: "exited", code, output: "" }) as const;
const by = { by: "exit-code", isPassed: false } as const;
const command = ["make", "it"] as const;

it.each<{ readonly given: Pick<Ran, "check" | "end" | "blockerIs">; readonly said: string }>([
  {
    given: { check: { by: "exit-code", isPassed: true }, end: exited(0), blockerIs: "cleared" },
    said: "it ended with code 0, and the blocker is cleared.",
  },
  {
    given: { check: { by: "exit-code", isPassed: true }, end: exited(0), blockerIs: "changed" },
    said: "it ended with code 0, but the blocker was changed by another process meanwhile.",
  },
  {
    given: { check: by, end: exited(2), blockerIs: "there" },
    said: "it ended with code 2, and the blocker stays.",
  },
  {
    given: { check: by, end: { type: "killed", signal: "SIGKILL", output: "" }, blockerIs: "there" },
    said: "it was ended by SIGKILL, and the blocker stays.",
  },
  {
    given: { check: by, end: { type: "timed-out", output: "" }, blockerIs: "there" },
    said: "it took too long, and the blocker stays.",
  },
  {
    given: { check: by, end: { type: "aborted", output: "" }, blockerIs: "there" },
    said: "it was stopped, and the blocker stays.",
  },
  {
    given: { check: by, end: { type: "not-started", reason: "no" }, blockerIs: "there" },
    said: "it could not be started, and the blocker stays.",
  },
  {
    given: {
      check: { by: "check", command, end: exited(0), isPassed: true },
      ...{ end: exited(1), blockerIs: "cleared" },
    },
    said: "the check passes, and the blocker is cleared.",
  },
  {
    given: {
      check: { by: "check", command, end: exited(1), isPassed: false },
      ...{ end: exited(0), blockerIs: "there" },
    },
    said: "the check does not pass, and the blocker stays.",
  },
  {
    given: { check: { by: "git", unmerged: [], isPassed: true }, end: exited(0), blockerIs: "cleared" },
    said: "no file is in conflict any more, and the blocker is cleared.",
  },
  {
    given: { check: { by: "git", unmerged: ["a"], isPassed: false }, end: exited(0), blockerIs: "there" },
    said: "files are still in conflict, and the blocker stays.",
  },
  {
    given: {
      check: { by: "nothing", hint: "Approve it again", isPassed: false },
      end: exited(0),
      blockerIs: "there",
    },
    said: "the check was not run, and the blocker stays. Approve it again.",
  },
])("says by what it is known whether a blocker is gone: $said", ({ given, said }) => {
  const tried = { ...blocker, recoveryAttempted: 1 };
  expect(describeRecovery({ type: "ran", blocker: tried, command, ...given })).toEqual([
    `Ran \`make it\` (attempt 1 of 3): ${said}`,
  ]);
});
