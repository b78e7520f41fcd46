/**
 * Begins a run of a scripted task, or goes on with it, and prints what happens, a line each; it ends when the task is done.
 *
 * Arguments: the home, the address of a store on PostgreSQL or nothing, the folder that is worked in, how many parts the
 * task has, and whether it is begun or resumed.
 */
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../src/lib/app-error.ts";
import { resumeLastRun } from "../../src/run/resume-run.ts";
import type { RunEvent } from "../../src/run/run.ts";
import { startRun } from "../../src/run/start-run.ts";
import { gitEnv } from "./git-repo.ts";
import { beginWork } from "./kill-moments.ts";
import { builds, directs, fakeModel } from "./scripted-run.ts";

const [home = "", store = "", cwd = "", parts = "", how = ""] = process.argv.slice(2);

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** A model that takes a moment, so that a kill can come while it answers. */
function slowly(model: ReturnType<typeof fakeModel>): typeof model {
  return {
    ...model,
    async *stream(request, signal) {
      await sleep(2);
      yield* model.stream(request, signal);
    },
  };
}

const options = {
  ...{ home, store, cwd, env: gitEnv },
  instructor: slowly(fakeModel("anthropic/model-i", directs(Number(parts)))),
  worker: slowly(fakeModel("openai/model-w", builds)),
  tell: ({ type }: RunEvent) => print(type),
};

// Node does it at the end of a process, which most of these do not live to see.
flushCompileCache();
try {
  const run = await (how === "start" ? startRun({ ...options, task: "Build it." }) : resumeLastRun(options));
  print("open");
  beginWork();
  const { reason, rounds } = await run.drive(new AbortController().signal);
  await run[Symbol.asyncDispose]();
  print(`${reason} after ${rounds}`);
} catch (error) {
  // The process before was killed when it had done everything, and could not say so any more.
  if (!(error instanceof AppError && error.code === "run-done")) throw error;
  print(`done after ${parts}`);
}
