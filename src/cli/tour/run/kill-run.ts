import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openLoopbackModel } from "../loopback-model.ts";
import type { Scratch } from "../scratch.ts";
import { insist, type Teller } from "../teller.ts";
import { directRun, noted, task } from "./directing-model.ts";

/** How long the run may take to come to its second step. */
const patienceMs = 60_000;

/** Shows that a run which is killed in the middle of a command goes on, and does nothing twice. Returns its session. */
export async function killRun(scratch: Scratch, say: Teller): Promise<string> {
  const model = await openLoopbackModel(directRun);
  const reach = { ANTHROPIC_API_KEY: "made-up-for-the-tour", ANTHROPIC_BASE_URL: model.url };
  try {
    await say.step("An instructor directs a worker, and the run is killed in the middle of a command");
    say.command(`carryon run "${task}" --yes`);
    say.result(`${(await playAndKill(scratch, reach)).trimEnd()}\nSIGKILL, with the line just written.`);
    await say.step("The run goes on where it was: no round is repeated, and no effect comes twice");
    say.command("carryon run --resume --yes");
    say.result(await scratch.hear(["run", "--resume", "--yes"], reach));
    const changes = await readChanges(scratch);
    insist(changes === `${noted}\n`, `CHANGES.md has ${JSON.stringify(changes)}`);
    const { session, entries } = JSON.parse(await scratch.run(["show", "latest", "--json"]));
    const rounds = entries.flatMap(({ kind, number }: { kind: string; number?: number }) =>
      kind === "round" ? [number] : [],
    );
    insist(`${rounds}` === "1,2,3", `the rounds are ${rounds}`);
    return session.id;
  } finally {
    await model[Symbol.asyncDispose]();
  }
}

/** Kills the run when the command of its second step has taken effect and has not ended; returns what was said until then. */
async function playAndKill(scratch: Scratch, reach: NodeJS.ProcessEnv): Promise<string> {
  const run = scratch.talk(["run", task, "--yes"], reach);
  const ended = once(run, "close");
  let said = "";
  run.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  for (let waited = 0; (await readChanges(scratch)) === ""; waited += 20) {
    insist(run.exitCode === null && waited < patienceMs, `the run did not come to its second step:\n${said}`);
    await sleep(20);
  }
  run.kill("SIGKILL");
  await ended;
  return said;
}

async function readChanges({ cwd }: Scratch): Promise<string> {
  // It is not there before the worker has made it.
  return readFile(join(cwd, "CHANGES.md"), "utf8").catch(() => "");
}
