import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { drainSpool } from "../src/storage/drain-spool.ts";
import { openInbox } from "../src/storage/open-inbox.ts";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import { gatedCosts } from "./gated-hooks.ts";
import { type HookHome, makeHookHome, readPayload } from "./hook-home.ts";
import { measureSession } from "./hooked-session.ts";
import { largeStartCosts } from "./large-start.ts";
import { compare, interleave, medianOf, type Subject, subject } from "./measure.ts";

const bareNode = "node -e 0";
const bareCommit = "reading the payload and committing one row, in one file";

/** The hooks whose cost has a bar, each with a payload that Claude Code really sent. */
const hooks: readonly { readonly work: string; readonly payload: string; readonly bar?: number }[] = [
  { work: "hook at UserPromptSubmit", payload: readPayload("UserPromptSubmit"), bar: 1.15 },
  { work: "hook at PostToolUse", payload: readPayload("PostToolUse-Bash"), bar: 1.15 },
  {
    work: "hook at PostToolUse, the output holds a secret",
    payload: readPayload("PostToolUse-Bash").replace(
      /"stdout": "[^"]*"/,
      `"stdout": "password = ${"Qz7".repeat(6)}"`,
    ),
  },
  { work: "hook at PreToolUse, no gate", payload: readPayload("PreToolUse-Bash"), bar: 1.1 },
  { work: "hook at Stop, which starts sync", payload: readPayload("Stop-active-false"), bar: 1.3 },
];

/** What a hook costs from its start to its end, beside a Node that does nothing; and 64 at once. */
export async function hookCosts(bench: Bench): Promise<Outcome> {
  const home = await makeHookHome(join(bench.folder, "hook-home"));
  const rounds = Math.max(8, Math.round(bench.scale.rounds / 10));
  const times = await interleave(
    [
      processSubject(bareNode, ["-e", "0"], ""),
      processSubject(bareCommit, [home.bare], readPayload("PostToolUse-Bash")),
      ...hooks.map(({ work, payload }) => processSubject(work, [home.hook], payload)),
    ],
    rounds,
  );
  const costs = hooks.map(({ work, bar }) => ({
    work,
    limit: bareNode,
    ...compare(times, work, bareNode),
    ...(bar !== undefined && { bar }),
  }));
  const gated = await gatedCosts(bench, rounds);
  const large = await largeStartCosts(bench, rounds);
  const session = await measureSession(bench, home);
  return {
    measurements: [
      ...costs,
      ...gated,
      ...large,
      { work: bareCommit, limit: bareNode, ...compare(times, bareCommit, bareNode) },
      await runManyAtOnce(home),
      ...session.measurements,
    ],
    milliseconds: Object.fromEntries(
      [bareNode, ...hooks.map(({ work }) => work)].map((name) => [name, medianOf(times, name)]),
    ),
    notes: session.notes,
  };
}

function processSubject(name: string, args: readonly string[], input: string): Subject<unknown> {
  return subject({
    name,
    prepare: () => undefined,
    work: () => {
      const { status, stderr } = spawnSync(process.execPath, args, { input });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    },
  });
}

const atOnce = 64;

/** Starts many hooks together and counts what was recorded. */
async function runManyAtOnce({ home, hook }: HookHome): Promise<Measurement> {
  await emptyInbox(home);
  const payload = readPayload("PostToolUse-Bash");
  const running = Array.from({ length: atOnce }, async (_, index) => {
    const child = spawn(process.execPath, [hook], { stdio: ["pipe", "ignore", "inherit"] });
    // Each is a call of its own, as it is in life: the same twice is one.
    child.stdin.end(payload.replace(/"tool_use_id": "/, `$&${index}-`));
    await once(child, "close");
  });
  await Promise.all(running);
  const recorded = await emptyInbox(home);
  return {
    work: `${atOnce} hooks at once`,
    limit: "those recorded",
    ratio: atOnce / recorded,
    bar: 1,
    n: recorded,
  };
}

/** Forgets what is in the inbox, and returns how much it was. */
async function emptyInbox(home: string): Promise<number> {
  await drainSpool(home);
  const inbox = await openInbox(home);
  try {
    const items = await inbox.take(1_000_000);
    await inbox.forget(items.map(({ key }) => key));
    return items.length;
  } finally {
    await inbox[Symbol.asyncDispose]();
  }
}
