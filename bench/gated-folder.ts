import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answerForGates } from "../src/gates/answer-for-gates.ts";
import { readCompiledConfig } from "../src/gates/config/compiled-config.ts";
import { locateCompiledConfig, locateGateCache } from "../src/gates/gate-places.ts";
import { gatherFacts } from "../src/gates/gather-facts.ts";
import { readPass } from "../src/gates/pass.ts";
import { activeGates, askTool } from "../src/gates/verdict/ask-tool.ts";
import { answerEvent } from "../src/hooks/answer-event.ts";
import { parseWireEvent, toEvent } from "../src/hooks/wire.ts";
import { git } from "./many-files.ts";

const gates = Array.from({ length: 10 }, (_, index) => `gate_${index}`);
const sessions = 1000;

/** The session that is asked about: one of a thousand that the state knows. */
export const known = "00000999-3933-45ad-9a1c-14aec05bb940";

/** A session of which nothing is known: where all gates are satisfied for the branch, it is let through as well. */
export const fresh = "ffffffff-3933-45ad-9a1c-14aec05bb940";

/** Returns where the files of a folder with gates are. */
export function locateGated(folder: string) {
  const root = join(folder, "project");
  return {
    root,
    home: join(folder, "home"),
    clientFolder: join(folder, "client"),
    state: join(root, ".git", "requirements", "main.json"),
  };
}

/** Asks whether a file may be edited, as a hook does, and throws unless it may. */
export async function askGates(folder: string, session: string): Promise<void> {
  const { root, home, clientFolder } = locateGated(folder);
  const client = {
    ...{ cwd: root, session, home, clientFolder, env: {} },
    clock: { now: () => new Date() },
    process: { pid: process.pid, client: process.pid },
    askTrust: async () => true,
    tell: ({ path, problem }: { readonly path: string; readonly problem: string }) => {
      throw new Error(`${path} ${problem}`);
    },
  };
  const call = { tool_name: "Edit", tool_input: { file_path: join(root, "a.ts") }, tool_use_id: "call-1" };
  const answer = await answerForGates(client, { hook_event_name: "PreToolUse", cwd: root, ...call });
  if (answer.type !== "nothing") throw new Error(`The gates answered ${JSON.stringify(answer)}.`);
}

/** Sees to it that a session has a pass, as it has after a call that was allowed. */
export async function makePass(folder: string, session: string): Promise<void> {
  const { root: cwd, home, clientFolder } = locateGated(folder);
  for (let tries = 0; tries < 100; tries += 1) {
    await askGates(folder, session);
    if (readPass({ home, session, cwd, clientFolder }, new Date()) !== undefined) return;
    // What changed in the same tick of the clock as the pass was written does not count as unchanged.
    await sleep(50);
  }
  throw new Error("The session gets no pass.");
}

/** Answers a payload that allows an edit as a hook does, and throws if the rules of gates are loaded for it. */
export async function answerByPass(folder: string, session: string): Promise<void> {
  const { root, home, clientFolder } = locateGated(folder);
  const input = JSON.stringify({
    ...{ hook_event_name: "PreToolUse", session_id: session, cwd: root },
    ...{ tool_name: "Edit", tool_input: { file_path: join(root, "a.ts") }, tool_use_id: "call-1" },
  });
  const refuse = () => {
    throw new Error("The session has no pass.");
  };
  const surroundings = {
    ...{ home, env: { CLAUDE_CONFIG_DIR: clientFolder }, userHome: folder },
    process: { pid: process.pid, client: process.pid },
    ...{ loadRedaction: refuse, loadGates: refuse, note: refuse, say: refuse },
  };
  const wire = parseWireEvent(input);
  const event = wire && toEvent(wire);
  if (wire === undefined || event === undefined) throw new Error("The payload could not be understood.");
  await answerEvent(surroundings, event, { wire, input, cwd: root });
}

/** Returns what reads the compiled configuration and the state and judges an edit, and throws unless it is allowed. */
export function prepareVerdict(folder: string, session: string): () => Promise<void> {
  const { root, home, clientFolder } = locateGated(folder);
  const commonFolder = join(root, ".git");
  const cacheFolder = locateGateCache(home, commonFolder);
  const compiled = locateCompiledConfig(cacheFolder, root);
  const places = { user: join(clientFolder, "requirements.yaml"), root, trusted: true };
  const clock = { now: () => new Date() };
  const place = { folder: join(commonFolder, "requirements"), project: root, clock };
  const findOthers = async () => [];
  const sources = { place, root, branch: "main", session, cacheFolder, env: {}, findOthers };
  return async () => {
    const config = readCompiledConfig(compiled, places);
    if (config === undefined) throw new Error("The configuration is not kept.");
    const { facts } = await gatherFacts(sources, activeGates(config));
    const verdict = askTool(config, facts, { tool: "Edit" });
    if (verdict.type === "refuse") throw new Error("The gates refuse.");
  };
}

/** Makes a repository in which everything is satisfied: for the branch, and for each of a thousand sessions. */
export async function makeGated(folder: string): Promise<void> {
  const { root, home, clientFolder, state } = locateGated(folder);
  for (const path of [root, home, clientFolder, dirname(state), join(root, ".claude")]) {
    mkdirSync(path, { recursive: true });
    if (path === root) git(root, ["init", "--quiet", "--initial-branch=main"]);
  }
  const lines = gates.map((gate) => `  ${gate}: {enabled: true}\n`);
  const config = join(root, ".claude", "requirements.yaml");
  writeFileSync(config, `requirements:\n${lines.join("")}`);
  writeFileSync(state, JSON.stringify(renderState(root)));
  // Files that have just changed are not kept compiled.
  await sleep(2500);
  for (const session of [known, fresh]) await askGates(folder, session);
}

function renderState(project: string): object {
  const at = 1_767_225_600;
  const satisfied = {
    triggered: true,
    triggered_at: at,
    satisfied: true,
    satisfied_at: at,
    satisfied_by: "skill",
    metadata: {},
    expires_at: null,
  };
  const keys = Array.from({ length: sessions }, (_, index) => String(index).padStart(8, "0"));
  const standings = keys.map(
    (key, index) =>
      [
        key,
        {
          ...satisfied,
          satisfied_at: at + index,
          metadata: { full_id: `${key}-3933-45ad-9a1c-14aec05bb940` },
        },
      ] as const,
  );
  const gate = { scope: "session", sessions: Object.fromEntries(standings), ...satisfied };
  const times = { created_at: at, updated_at: at };
  const requirements = Object.fromEntries(gates.map((name) => [name, gate]));
  return { version: "1.0", branch: "main", project, ...times, requirements };
}
