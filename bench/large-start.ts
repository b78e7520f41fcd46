import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { globSync, mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateHandover } from "../src/handover/handover-folder.ts";
import { openStore } from "../src/storage/open-store.ts";
import type { Bench, Measurement } from "./figure.ts";
import { makeHookHome } from "./hook-home.ts";
import { installPackage } from "./installed-package.ts";
import { makeLargeProject } from "./large-project.ts";
import { compare, interleave, subject } from "./measure.ts";

const bareNode = "node -e 0";
const [warmBar, coldSamples] = [7, 8];

/**
 * What the start of a session costs in a project with a long history, beside a Node that does nothing: with what earlier
 * starts have left, and as the first one after an installation, with no compiled code, no digests, and a decisions.md
 * that nobody has examined.
 */
export async function largeStartCosts(bench: Bench, rounds: number): Promise<readonly Measurement[]> {
  const { startDecisions: decisions, startSessions: sessions } = bench.scale;
  const folder = join(realpathSync(bench.folder), "large-start");
  const [root, home, clientFolder] = ["project", "home", "client"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(clientFolder, { recursive: true });
  await makeLargeProject({ root, home, decisions, sessions });
  const { hook } = await makeHookHome(home);
  const launcher = installPackage(folder, "package");
  writeFileSync(join(home, "bin", "carryon.json"), JSON.stringify({ node: process.execPath, launcher }));
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: clientFolder, CARRYON_HOME: home, PATH: process.env.PATH };
  const run = (args: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, input });
    if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
    return String(stdout);
  };
  run([launcher, "trust"]);
  run([launcher, "handover", "draft", "--goal", "Ship the shop", "--next", "Write the price list"]);
  const newSession = () => {
    // Those before have ended.
    rmSync(join(clientFolder, "sessions.json"), { force: true });
    const wire = { hook_event_name: "SessionStart", source: "startup", session_id: randomUUID(), cwd: root };
    return JSON.stringify(wire);
  };
  const start = (input: string) => {
    const answer = run([hook], input);
    if (!answer.includes("additionalContext")) throw new Error(`A start was answered with ${answer}.`);
  };
  const work = `hook at SessionStart, ${decisions.toLocaleString("en")} decisions and ${sessions.toLocaleString("en")} sessions`;
  const cold = `${work}, the first after an installation`;
  const times = await interleave(
    [
      subject({ name: bareNode, prepare: () => undefined, work: () => run(["-e", "0"]) }),
      subject({ name: work, prepare: () => newSession(), work: start }),
      subject({
        ...{ name: cold, samples: coldSamples, work: start },
        prepare: async () => {
          await forgetAll(home, root);
          return newSession();
        },
      }),
    ],
    rounds,
  );
  return [
    { work, limit: bareNode, ...compare(times, work, bareNode), bar: warmBar },
    { work: cold, limit: bareNode, ...compare(times, cold, bareNode) },
  ];
}

/** Forgets what starts keep: compiled code, digests, and that decisions.md was examined. */
async function forgetAll(home: string, root: string): Promise<void> {
  for (const cache of globSync(join(home, "cache", "v*"))) rmSync(cache, { recursive: true, force: true });
  const store = await openStore(home);
  try {
    await store.digests.clear();
  } finally {
    await store[Symbol.asyncDispose]();
  }
  const now = new Date();
  utimesSync(locateHandover({ root, sddDir: ".sdd" }).decisions, now, now);
}
