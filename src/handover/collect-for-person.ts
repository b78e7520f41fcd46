import { readSubjectsSince } from "../git/git-history.ts";
import { findLastTests } from "../work/standing-work.ts";
import type { Phase } from "./pipeline/spec-file.ts";
import { detachedHead } from "./session-doc.ts";
import type { SessionWork } from "./session-work.ts";

/** More subjects than a person reads. */
const mostCommits = 50;

/** A run of tests that was recorded. */
export interface TestRun {
  readonly command: string;
  readonly outcome: "passed" | "failed";
  readonly at: Date;
}

/** What is known of the work of a session without anybody having said it. */
export interface SessionSummary {
  /** Undefined outside git and on a detached HEAD. */
  readonly branch: string | undefined;
  /** The subjects of the commits since the session began, oldest first. */
  readonly commits: readonly string[];
  readonly changedFiles: number;
  readonly specs: readonly { readonly name: string; readonly phase: Phase; readonly wave: number | null }[];
  /** The last run of tests that was recorded. */
  readonly tests: TestRun | undefined;
  /** Files of steering that changed without a word. */
  readonly steering: readonly string[];
}

/** Collects the state of git, of the specs, of the tests and of the steering. */
export async function collectForPerson({ site, git, collected }: SessionWork): Promise<SessionSummary> {
  const { head, pipeline, branch, modifiedFiles, unlisted, warnings } = collected;
  const tests = await findLastTests(site);
  return {
    branch: branch === detachedHead ? undefined : branch,
    commits: git && head ? await readSubjectsSince(git, head, { most: mostCommits }) : [],
    changedFiles: (modifiedFiles?.length ?? 0) + unlisted,
    specs: pipeline.specs.map(({ name, phase, wave }) => ({ name, phase, wave })),
    tests: tests && {
      command: tests.command,
      outcome: tests.passed ? "passed" : "failed",
      at: new Date(tests.at),
    },
    steering: warnings,
  };
}
