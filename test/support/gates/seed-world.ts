import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { answerForGates } from "../../../src/gates/answer-for-gates.ts";
import type { HookAnswer } from "../../../src/gates/gate-site.ts";
import { git, gitEnv, layOut } from "../git-repo.ts";

/** A session of Claude Code: what it does is told with the fields that Claude Code sends. */
interface SeedSession {
  /** Begins, and returns what the session is told. */
  start(source?: string): Promise<string>;
  skill(name: string): Promise<void>;
  /** Edits a file where that is allowed. */
  edit(): Promise<HookAnswer["type"]>;
  /** Asks whether a file may be written. */
  write(path: string): Promise<HookAnswer["type"]>;
  /** Runs a command in a real shell where that is allowed. */
  run(command: string, more?: { readonly run_in_background: boolean }): Promise<HookAnswer["type"]>;
  stop(more?: { readonly stop_hook_active: boolean }): Promise<HookAnswer>;
  end(reason?: string): Promise<void>;
}

/** A repository on the branch feature/test. */
export interface SeedWorld {
  readonly root: string;
  readonly stateFile: string;
  readonly registryFile: string;
  /** What was told of files that are wrong. */
  readonly told: string[];
  /** Returns what stands at a path of a JSON file, as `jq` does; null where nothing does. */
  jq(path: string, file?: string): unknown;
  wait(seconds: number): void;
  session(id: string): SeedSession;
}

/** Makes a repository whose project has these requirements, and is trusted. */
export async function makeSeedWorld(folder: string, requirements: string): Promise<SeedWorld> {
  const root = join(folder, "project");
  for (const path of [join(folder, "client"), join(folder, "home")]) mkdirSync(path);
  await layOut(root, `gates\0${requirements}`, async (made) => {
    await git(made, "init", "--quiet", "--initial-branch=main");
    await git(made, "commit", "--quiet", "--allow-empty", "--message", "first");
    mkdirSync(join(made, ".claude"));
    writeFileSync(join(made, ".claude", "requirements.yaml"), requirements);
    await git(made, "add", ".");
    await git(made, "commit", "--quiet", "--message", "gates");
    await git(made, "checkout", "--quiet", "-b", "feature/test");
  });
  // Ahead of the files, whose configuration is kept once they are two seconds old.
  let now = Date.now() + 60_000;
  let calls = 0;
  const told: string[] = [];
  const stateFile = join(root, ".git", "requirements", "feature-test.json");
  const tellAs = (session: string) => (event: string, more: Readonly<Record<string, unknown>>) => {
    const client = {
      cwd: root,
      session,
      home: join(folder, "home"),
      clientFolder: join(folder, "client"),
      env: gitEnv,
      clock: { now: () => new Date(now) },
      process: { pid: process.pid, client: process.pid },
      askTrust: async () => true,
      tell: ({ problem }: { readonly problem: string }) => told.push(problem),
    };
    const payload = {
      session_id: session,
      transcript_path: join(folder, "client", "projects", "project", `${session}.jsonl`),
      cwd: root,
      prompt_id: "c4888b24-0d8d-4904-978d-4ec37277e556",
      permission_mode: "default",
      effort: { level: "medium" },
      hook_event_name: event,
      ...more,
    };
    return answerForGates(client, payload);
  };
  return {
    root,
    stateFile,
    registryFile: join(folder, "client", "sessions.json"),
    told,
    jq: (path, file = stateFile) => (existsSync(file) ? valueAt(path, file) : null),
    wait: (seconds) => {
      now += seconds * 1000;
    },
    session: (id) => {
      const tell = tellAs(id);
      const use = async (tool: string, input: object, work: () => Promise<object>) => {
        calls += 1;
        const call = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${calls}` };
        const { type } = await tell("PreToolUse", call);
        if (type === "deny") return type;
        await tell("PostToolUse", { ...call, tool_response: await work(), duration_ms: 10 });
        return type;
      };
      return {
        start: async (source = "startup") => {
          const answer = await tell("SessionStart", { source });
          return answer.type === "tell" ? answer.text : "";
        },
        skill: async (skill) => {
          await use("Skill", { skill }, async () => ({ success: true, commandName: skill }));
        },
        edit: () => {
          const path = join(root, "a.txt");
          const input = { file_path: path, old_string: "", new_string: "more\n", replace_all: false };
          return use("Edit", input, async () => {
            writeFileSync(path, "more\n", { flag: "a" });
            return { filePath: path, userModified: false };
          });
        },
        write: (path) => use("Write", { file_path: path, content: "" }, async () => ({ filePath: path })),
        run: (command, more = { run_in_background: false }) =>
          use("Bash", { command, ...more }, async () => {
            const { stdout, stderr } = await promisify(execFile)("bash", ["-c", command], {
              cwd: root,
              env: gitEnv,
            });
            return { stdout, stderr, interrupted: false, isImage: false, noOutputExpected: false };
          }),
        stop: (more = { stop_hook_active: false }) =>
          tell("Stop", { ...more, last_assistant_message: "Done.", background_tasks: [], session_crons: [] }),
        end: async (reason = "other") => {
          await tell("SessionEnd", { reason });
        },
      };
    },
  };
}

function valueAt(path: string, file: string): unknown {
  return path
    .split(".")
    .filter((name) => name !== "")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? ((value as Readonly<Record<string, unknown>>)[name] ?? null)
          : null,
      JSON.parse(readFileSync(file, "utf8")),
    );
}

/** The four requirements of planning, as the seed names them. */
export const planning = `version: "1.0"
requirements:
  commit_plan: {enabled: true}
  adr_reviewed: {enabled: true}
  tdd_planned: {enabled: true}
  solid_reviewed: {enabled: true}
`;

/** The whole ids of two sessions, and what they are known by. */
export const planner = "abc123ab-3933-45ad-9a1c-14aec05bb940";
export const implementer = "def456de-0d8d-4904-978d-4ec37277e556";
