import { spawn } from "node:child_process";
import { once } from "node:events";
import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Scratch } from "../scratch.ts";
import { openCannedModel } from "./canned-model.ts";

/** The key that the client is given; no server but ours would take it. */
const madeUpKey = "sk-tour";

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
  await answerFirstQuestions(scratch);
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
  const made = {
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    TERM: "dumb",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: madeUpKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    DO_NOT_TRACK: "1",
  };
  return { cwd, env: { ...env, ...made } };
}

/** Answers what Claude Code would ask a person at its first start: looks, key, trust. */
async function answerFirstQuestions({ folder, cwd }: Scratch): Promise<void> {
  const answers = {
    theme: "dark",
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [madeUpKey], rejected: [] },
    projects: { [await realpath(cwd)]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(join(folder, ".claude.json"), JSON.stringify(answers));
}
