import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { answerHook, type WireHook } from "../../../src/gates/answer-hook.ts";
import type { GateConfig } from "../../../src/gates/gate.ts";
import type { HookAnswer } from "../../../src/gates/gate-site.ts";
import { openGateSite } from "../../../src/gates/hooks/open-session-gates.ts";
import type { FileProblem } from "../../../src/gates/state/problem.ts";
import { gitEnv, makeRepo } from "../git-repo.ts";
import { blocking } from "./gates.ts";

/** A session in a repository with gates. */
interface GatedSession {
  /** Lets an event happen, and returns what the client is told. */
  tell(event: string, more?: Partial<WireHook>): Promise<HookAnswer>;
  /** Asks whether a tool may run; runs it where it may, and tells that it has. */
  use(tool: string, input: Readonly<Record<string, unknown>>): Promise<HookAnswer>;
  /** Asks for a command, runs it in a real shell where it may run, and tells how that went. */
  run(command: string): Promise<HookAnswer>;
}

export const nothing: HookAnswer = { type: "nothing" };

/** A gate that a skill satisfies, and what it says to an edit before that. */
export const plan = blocking({ skills: ["plan-review"], remedySkill: "plan-review" });
export const refused: HookAnswer = {
  type: "deny",
  reason:
    "The gate commit_plan is not satisfied.\nDo what it asks for, and then run `carryon gate satisfy commit_plan`.",
};

export const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** A repository with gates, and a clock of its own. */
export interface GatedRepo {
  readonly root: string;
  readonly folder: string;
  readonly problems: FileProblem[];
  readonly clock: { now: () => Date };
  /** Lets seconds pass. */
  wait(seconds: number): void;
  session(
    id: string,
    options?: { readonly branch?: string; readonly client?: number; readonly env?: typeof gitEnv },
  ): GatedSession;
}

/** Makes a repository on a branch, with one file in its first commit. */
export async function makeGatedRepo(folder: string, config: GateConfig): Promise<GatedRepo> {
  const root = join(folder, "repo");
  await makeRepo(root, ["first"], { branch: "feature/plan" });
  let now = new Date("2026-11-16T12:00:00Z").getTime();
  const problems: FileProblem[] = [];
  const clock = { now: () => new Date(now) };
  const place = {
    folder: join(root, ".git", "requirements"),
    project: root,
    clock,
    cache: join(folder, "cache"),
  };
  let calls = 0;
  return {
    root,
    folder: place.folder,
    problems,
    clock,
    wait: (seconds) => {
      now += seconds * 1000;
    },
    session: (session, { branch = "feature/plan", client = process.pid, env = gitEnv } = {}) => {
      const tell = (event: string, more: Partial<WireHook> = {}) => {
        const site = openGateSite({
          config,
          root,
          commonFolder: join(root, ".git"),
          branch,
          session,
          place,
          clientFolder: join(folder, "client"),
          launcher: join(folder, "home/bin/carryon"),
          cacheFolder: join(folder, "cache"),
          ledger: join(folder, "cache", "ledger"),
          env,
          process: { pid: process.pid, client },
          tell: (problem) => problems.push(problem),
        });
        return answerHook(site, { hook_event_name: event, ...more });
      };
      const use = async (tool: string, input: object, work: () => Promise<boolean> = async () => true) => {
        calls += 1;
        const call = { cwd: root, tool_name: tool, tool_input: input, tool_use_id: `call-${calls}` };
        const answer = await tell("PreToolUse", call);
        if (answer.type === "deny") return answer;
        await tell((await work()) ? "PostToolUse" : "PostToolUseFailure", call);
        return answer;
      };
      const run = (command: string) =>
        use("Bash", { command }, () =>
          promisify(execFile)("bash", ["-c", command], { cwd: root, env: gitEnv }).then(
            () => true,
            () => false,
          ),
        );
      return { tell, use, run };
    },
  };
}
