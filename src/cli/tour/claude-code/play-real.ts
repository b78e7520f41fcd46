import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scratch } from "../scratch.ts";
import { openCannedModel } from "./canned-model.ts";
import { answerFirstQuestions, offlineVariables } from "./offline-claude.ts";

/** How long the client may take to come to the middle of its turn. */
const patienceMs = 30_000;

/**
 * Runs the real client in the scratch folder with a model of our own, and kills it in the middle of its turn.
 *
 * Returns false where the client does not come that far: it may be one that works in another way. Nothing of the user's
 * own is used: home, key and address are made up.
 */
export async function playReal(program: string, scratch: Scratch, prompt: string): Promise<boolean> {
  const model = await openCannedModel();
  await answerFirstQuestions(scratch.folder, await realpath(scratch.cwd));
  const args = ["-p", prompt, "--output-format", "json", "--allowedTools", "Bash"];
  const child = spawn(program, args, { ...placeOf(scratch, model.url), stdio: "ignore" });
  const ended = once(child, "close").then(
    () => false,
    () => false,
  );
  const patience = new AbortController();
  const late = sleep(patienceMs, false, { signal: patience.signal, ref: false }).catch(() => false);
  try {
    const cameThatFar = await Promise.race([model.stalled.then(() => true), ended, late]);
    // What it has been told is on its way to the transcript.
    if (cameThatFar) await sleep(300);
    return cameThatFar;
  } finally {
    child.kill("SIGKILL");
    await ended;
    patience.abort();
    await model[Symbol.asyncDispose]();
  }
}

/** Nothing of the user's environment but the programs: it may be that of another client, with a key of its own. */
function placeOf({ env, cwd }: Scratch, url: string): { cwd: string; env: NodeJS.ProcessEnv } {
  return { cwd, env: { ...env, SHELL: "/bin/sh", TERM: "dumb", ...offlineVariables(url) } };
}
