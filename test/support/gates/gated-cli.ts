import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { registerSession } from "../../../src/gates/registry.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { makeRepo } from "../git-repo.ts";
import { type Carryon, openCarryon } from "../run-carryon.ts";

/** A gate of each kind. */
export const everyGate = `version: "1.0"
requirements:
  commit_plan: { enabled: true, auto_resolve_skill: plan-review }
  reviewed: { enabled: true, scope: branch }
  each_commit: { enabled: true, scope: single_use, trigger_tools: [{ tool: Bash, command_pattern: git commit }] }
  not_main: { enabled: true, type: guard, guard_type: protected_branch, protected_branches: [main] }
  size: { enabled: true, type: dynamic, calculator: branch_size, thresholds: { warn: 100, block: 400 }, approval_ttl: 60 }
  idle: { description: One that is off }
`;

/** The program in a trusted repository with gates, on the branch feature/plan. */
export interface GatedCarryon extends Carryon {
  readonly root: string;
  /** Writes a file below the folder of everything. */
  write(path: string, text: string): Promise<void>;
  /** Returns what is kept of a branch; undefined where nothing is. */
  state(file?: string): Promise<StoredGates | undefined>;
  /** Lets a session live, of a client that is this process unless another is named. */
  live(id: string, more?: { readonly ppid?: number; readonly branch?: string }): Promise<void>;
  /** Returns how the gates stand for a session, by their names. */
  satisfied(...args: readonly string[]): Promise<readonly string[]>;
}

/** The requirements of a state file. */
type StoredGates = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

interface Setting {
  readonly gates?: string;
  readonly trust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens the program in a repository with gates. */
export async function openGated({
  gates = everyGate,
  trust = true,
  env = {},
}: Setting = {}): Promise<GatedCarryon> {
  const carryon = await openCarryon(env);
  const root = join(carryon.folder, "work");
  await makeRepo(root, ["first"], { branch: "feature/plan" });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(carryon.folder, path)), { recursive: true });
    await writeFile(join(carryon.folder, path), text);
  };
  if (gates !== "") await write("work/.claude/requirements.yaml", gates);
  if (trust) await carryon.ask(["trust"]);
  const ask = async (...args: readonly string[]) =>
    JSON.parse((await carryon.call(["gate", "status", "--json", ...args])).stdout);
  return {
    ...carryon,
    root,
    write,
    state: async (file = "feature-plan.json") => {
      const folder = join(root, ".git", "requirements");
      const names = await readdir(folder).catch((): string[] => []);
      if (!names.includes(file)) return undefined;
      return JSON.parse(await readFile(join(folder, file), "utf8")).requirements;
    },
    live: async (id, { ppid = process.pid, branch = "feature/plan" } = {}) => {
      await mkdir(join(carryon.folder, ".claude"), { recursive: true });
      const place = { path: join(carryon.folder, ".claude", "sessions.json"), clock: systemClock };
      await registerSession(place, { id, pid: ppid, ppid, projectDir: root, branch });
    },
    satisfied: async (...args) => {
      const { gates: rows } = await ask(...args);
      return rows.flatMap((row: { name: string; satisfied: boolean }) => (row.satisfied ? [row.name] : []));
    },
  };
}
