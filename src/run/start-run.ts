import { usageError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import { systemRandom } from "../lib/uuid-v7.ts";
import type { SessionId } from "../sessions/ids.ts";
import { newSessionId } from "../sessions/new-session-id.ts";
import { parseTitle } from "../sessions/session-events.ts";
import { beginSession, type SessionTarget } from "../sessions/session-target.ts";
import type { WritableProject } from "../workspace/open-project.ts";
import { beginRun } from "./drive-run.ts";
import { inProject, leaseOf, machineOf, makeDesk, type Run, type RunSurroundings } from "./open-run.ts";
import { noLimits, type RunConfig } from "./run-config.ts";
import { chooseModels } from "./run-models.ts";
import { choosePrices, requirePrices } from "./run-prices.ts";
import { requireNewFile } from "./session-file.ts";

export interface StartRunOptions extends RunSurroundings {
  readonly task: string;
  /** What is said to the instructor besides. */
  readonly further?: readonly string[];
  /** The run that this one does over. */
  readonly replays?: SessionId;
  /** What the session is called. */
  readonly name?: string;
}

/** Begins a run in the project of a folder: an instructor directs a worker until the task is done. */
export async function startRun(options: StartRunOptions): Promise<Run> {
  return inProject(options, async (here) => {
    const task = requireTask(options.task);
    const models = await chooseModels(here.home, options, undefined);
    const config: RunConfig = {
      ...{ instructorModel: models.instructor.name, workerModel: models.worker.name },
      ...{ useThinking: options.useThinking ?? true, workDir: options.cwd },
      limits: { ...noLimits, ...options.limits },
      prices: await choosePrices(here.home, options, models),
    };
    requirePrices(here.home, config);
    await requireNewFile(here.home, options.sessionFile);
    const target = await newTarget(here, options);
    const desk = await makeDesk(here, options, target, models);
    return { desk, record: await beginRun(desk, config, { ...options, task }), restored: undefined };
  });
}

async function newTarget(here: WritableProject, options: StartRunOptions): Promise<SessionTarget> {
  const { clock = systemClock, random = systemRandom, name, cwd } = options;
  const title = name === undefined ? undefined : parseTitle(name);
  const startedAt = clock.now();
  return beginSession(
    here.store,
    {
      id: newSessionId({ random }, startedAt, title),
      project: here.project.id,
      client: "carryon-run",
      ...(title === undefined ? {} : { title }),
      ...{ cwd, branch: here.branch, startedAt },
      machine: await machineOf(options),
    },
    leaseOf(options, clock),
  );
}

/** Returns the task; throws where there is none. */
export function requireTask(task: string): string {
  if (task.trim() !== "") return task;
  throw usageError("no-task", "A run needs a task.", {
    hint: 'Say what is to be done: `carryon run "TASK"`.',
  });
}
