import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ResumeRunOptions, resumeLastRun } from "../../src/run/resume-run.ts";
import type { RunEvent, RunOutcome } from "../../src/run/run.ts";
import { type StartRunOptions, startRun } from "../../src/run/start-run.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { gitEnv } from "./git-repo.ts";
import { repoIn } from "./save-repo.ts";
import { builds, directs, fakeModel } from "./scripted-run.ts";
import type { TempDir } from "./temp-dir.ts";

/** The models of a task in so many parts. */
export function builders(parts: number) {
  return {
    instructor: fakeModel("anthropic/model-i", directs(parts)),
    worker: fakeModel("openai/model-w", builds),
  };
}

/** A folder in which runs work, and the home that they are recorded in. */
export interface RunWorld {
  readonly folder: string;
  readonly events: RunEvent[];
  start(options: Partial<StartRunOptions>, signal?: AbortSignal): Promise<RunOutcome>;
  resume(options: Partial<ResumeRunOptions>, signal?: AbortSignal): Promise<RunOutcome>;
  entries(session: SessionId): Promise<readonly Entry[]>;
  /** Returns the files that a run has made, by their names. */
  files(): Promise<Readonly<Record<string, string>>>;
}

const forever = new AbortController().signal;

/** Makes a repository and a home in a folder. */
export async function openRunWorld(
  dir: TempDir,
  kind: "repository" | "folder" = "repository",
): Promise<RunWorld> {
  const folder = dir.join("work");
  await (kind === "repository" ? repoIn(folder) : mkdir(folder));
  const events: RunEvent[] = [];
  const here = {
    cwd: folder,
    home: dir.join("home"),
    env: gitEnv,
    tell: (event: RunEvent) => events.push(event),
  };
  return {
    folder,
    events,
    start: async (options, signal = forever) => {
      await using run = await startRun({ ...here, ...builders(3), task: "Build it.", ...options });
      return await run.drive(signal);
    },
    resume: async (options, signal = forever) => {
      await using run = await resumeLastRun({ ...here, ...builders(3), ...options });
      return await run.drive(signal);
    },
    entries: async (session) => {
      await using project = await openProject(here, "read");
      return await Array.fromAsync(project.store.log.read(session));
    },
    files: () => readFiles(folder),
  };
}

export async function readFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder)).filter((name) => /^(part-|journal)/.test(name));
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}

/** What a task in so many parts leaves behind. */
export function builtFiles(parts: number): Readonly<Record<string, string>> {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  return {
    ...Object.fromEntries(numbers.map((part) => [`part-${part}.txt`, `Part ${part}.\n`])),
    "journal.txt": numbers.map((part) => `part-${part}\n`).join(""),
  };
}
