import { once } from "node:events";
import type { CommandContext } from "../command-context.ts";
import { carryIt } from "./carry-it.ts";
import { showClaudeCode } from "./claude-code/show-claude-code.ts";
import { compareWays } from "./compare-ways.ts";
import { findIt } from "./find-it.ts";
import { gateIt } from "./gate-it.ts";
import { handOver } from "./hand-over.ts";
import { type KilledWriter, killWriter } from "./kill-writer.ts";
import { killRun } from "./run/kill-run.ts";
import { saveAndLoad } from "./save-and-load.ts";
import type { Scratch } from "./scratch.ts";
import { makeScript } from "./script.ts";
import { insist, makeTeller, type Teller } from "./teller.ts";

const sent = 400;

/** Shows the main job from beginning to end; throws if anything of it does not hold. */
export async function runTour(context: CommandContext, scratch: Scratch): Promise<void> {
  const say = makeTeller(context);
  context.out(`${context.style.bold("Carryon in a minute")}, in a scratch folder with a store of its own.\n`);
  const killed = await recordAndKill(context, scratch, say);
  await showNothingLost(scratch, killed, say);
  await pickUp(scratch, killed, say);
  await refuseSecondWriter(scratch, killed, say);
  const fork = await forkIt(scratch, killed, say);
  await findIt(scratch, killed.session, say);
  await compareWays(scratch, { origin: killed.session, fork }, say);
  await carryIt(scratch, [killed.session, fork], say);
  await showClaudeCode(context, scratch, say);
  await saveAndLoad(context, scratch, say);
  await gateIt(context, scratch, say);
  await handOver(scratch, say);
  const run = await killRun(scratch, say);
  await verifyAll(scratch, [killed.session, fork, run], say);
  sayWhatNext(context, say);
}

async function recordAndKill(context: CommandContext, scratch: Scratch, say: Teller): Promise<KilledWriter> {
  await say.step("A session is recorded, and its writer is killed in the middle");
  say.command('carryon append --title "Users are logged out" < messages.jsonl');
  const killAfter = 20 + ((context.random(1)[0] ?? 0) % 60);
  const killed = await killWriter(scratch, makeScript(sent), killAfter, (count) => {
    if (context.isTerminal.output) context.out(`\r   ${count} messages acknowledged`);
  });
  if (context.isTerminal.output) context.out("\r");
  const { acknowledged } = killed;
  say.result(
    `${context.style.red("SIGKILL")} after ${acknowledged.length} of ${sent} messages: no exit handler ran, nothing was flushed.`,
  );
  return killed;
}

async function showNothingLost(scratch: Scratch, killed: KilledWriter, say: Teller): Promise<void> {
  await say.step("Every message that was acknowledged is there");
  say.command("carryon show latest --json");
  const stored = new Set(await readIds(scratch, killed.session));
  const lost = killed.acknowledged.filter((id) => !stored.has(id));
  insist(lost.length === 0, `${lost.length} acknowledged messages were lost`);
  const { status } = (await readShown(scratch, killed.session)).session;
  insist(status === "interrupted", `the session of a killed writer is ${status}`);
  say.result(
    `${killed.acknowledged.length} acknowledged, ${stored.size} stored, 0 lost. The session is marked ${status}.`,
  );
}

async function pickUp(scratch: Scratch, killed: KilledWriter, say: Teller): Promise<void> {
  await say.step("The session goes on where it stopped");
  const before = (await readIds(scratch, killed.session)).length;
  say.command("carryon append --session latest < more.jsonl");
  await scratch.run(
    ["append", "--session", "latest"],
    `${JSON.stringify({ role: "user", text: "Go on with the mobile client." })}\n`,
  );
  say.command("carryon sessions");
  say.result(await scratch.run(["sessions"]));
  const after = (await readIds(scratch, killed.session)).length;
  insist(after > before, "the session did not grow");
}

async function refuseSecondWriter(scratch: Scratch, killed: KilledWriter, say: Teller): Promise<void> {
  await say.step("While one process writes a session, a second one is refused");
  const args = ["append", "--session", killed.session];
  const holder = scratch.start(args);
  const ended = once(holder, "exit");
  // It has the session when it has said so.
  await once(holder.stdout, "data");
  say.command("carryon append --session latest < others.jsonl");
  const { code, said } = await scratch.refused(
    args,
    `${JSON.stringify({ role: "user", text: "Me too." })}\n`,
  );
  say.result(said);
  insist(code === 4, "a second writer was not refused");
  holder.stdin.end();
  await ended;
}

async function forkIt(scratch: Scratch, killed: KilledWriter, say: Teller): Promise<string> {
  await say.step("Another way is tried from message 5, and nothing is copied");
  say.command(`carryon fork ${killed.session} --at 5 --title "Try tokens instead"`);
  const fork = (
    await scratch.run(["fork", killed.session, "--at", "5", "--title", "Try tokens instead"])
  ).trim();
  await scratch.run(
    ["append", "--session", fork],
    `${JSON.stringify({ role: "user", text: "Use refresh tokens." })}\n`,
  );
  say.command(`carryon show ${fork}`);
  say.result(await scratch.run(["show", fork]));
  const { entries } = await readShown(scratch, fork);
  const shared = entries.filter((entry) => entry.session === killed.session).length;
  insist(shared === 5, "the fork does not share its origin's entries");
  say.result(`${shared} of its ${entries.length} entries are those of the first session, stored once.`);
  return fork;
}

async function verifyAll(scratch: Scratch, sessions: readonly string[], say: Teller): Promise<void> {
  await say.step("Every entry is proved to be the one that was written");
  say.command("carryon verify");
  const answer = await scratch.run(["verify", "--json"]);
  for (const session of sessions) insist(answer.includes(session), `${session} was not verified`);
  say.result(await scratch.run(["verify"]));
}

function sayWhatNext(context: CommandContext, say: Teller): void {
  context.out(
    `\n${context.style.bold("Now in your own repository")} (in a checkout, npm link makes the command known there)\n`,
  );
  say.command("carryon init     # from now on Claude Code is recorded here; shows what it writes, and asks");
  say.command("carryon sessions # find a session again tomorrow");
  say.command("carryon search   # find what was said in any of them");
  say.command("carryon resume   # go on with one where it stopped");
  say.command(
    "carryon run      # an instructor and a worker on a task of yours; killed or stopped, --resume goes on",
  );
  say.command("carryon save     # a checkpoint: commit, tasks, blocker; carryon load goes on from it");
  say.command("carryon gate     # what an agent must do before it edits, commits or stops");
  say.command("carryon export   # a file to read, or to import on another machine");
  say.command("carryon handover # at the end: write down what the next session must know");
  say.command("carryon --help   # everything else");
}

interface Shown {
  readonly session: { readonly status: string };
  readonly entries: readonly { readonly id: string; readonly session: string }[];
}

async function readShown(scratch: Scratch, session: string): Promise<Shown> {
  return JSON.parse(await scratch.run(["show", session, "--json"]));
}

async function readIds(scratch: Scratch, session: string): Promise<readonly string[]> {
  return (await readShown(scratch, session)).entries.map((entry) => entry.id);
}
