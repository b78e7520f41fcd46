import { join } from "node:path";
import { type Claude, openClaude } from "./clients/open-claude.ts";
import { git, makeRepo } from "./git-repo.ts";
import { runOn } from "./machine.ts";
import { type ModelServer, openModelServer } from "./model-server/open-model-server.ts";
import { readScenario, type Scenario } from "./model-server/scenario.ts";
import { tempDir } from "./temp-dir.ts";
import { launcher } from "./test-context.ts";

interface ShownSession {
  readonly id: string;
  readonly title: string;
  readonly client: string;
  readonly status: string;
  readonly messages: number;
  readonly clientSessionId: string | null;
  readonly forkedFrom: { readonly session: string } | null;
}

export interface ShownEntry {
  readonly kind: string;
  readonly strand: string;
  readonly role?: string;
  readonly text?: string;
  readonly parts?: readonly { readonly type: string; readonly text?: string; readonly name?: string }[];
}

/** The real Claude Code in a repository that Carryon records. */
export interface RecordedClaude extends AsyncDisposable {
  readonly claude: Claude;
  readonly server: ModelServer;
  /** The home folder of Carryon. */
  readonly home: string;
  /** What git says of the repository, and the settings of the client in it, before Carryon came. */
  readonly before: string;
  /** Runs a command as a user does in the repository, and returns what it answered. */
  carryon(...args: readonly string[]): Promise<string>;
  sessions(): Promise<readonly ShownSession[]>;
  /** Returns who said what kind of thing in a session, on one strand. */
  outline(session: string, strand?: string): Promise<readonly string[]>;
  gitStatus(): Promise<string>;
}

export interface RecordingOptions {
  /** The folder that the client alone is told to use, in the folder of the test; the usual one unless told. */
  readonly config?: string;
  /** What the model says, which may name the repository; `everyday` unless told. */
  readonly scenario?: Scenario | ((folder: string) => Scenario);
}

/** Makes a repository, installs Carryon's hooks in it, and a client to work there. */
export async function openRecordedClaude(
  version: string,
  { config, scenario = readScenario("everyday") }: RecordingOptions = {},
): Promise<RecordedClaude> {
  const dir = await tempDir();
  const cwd = dir.join("shop");
  await makeRepo(cwd, ["first"]);
  const server = await openModelServer(typeof scenario === "function" ? scenario(cwd) : scenario);
  const env = { CARRYON_HOME: dir.join("carryon-home") };
  const told = config === undefined ? {} : { CLAUDE_CONFIG_DIR: dir.join(config) };
  const claude = await openClaude({ version, server, cwd, home: dir.join("home"), env: { ...env, ...told } });
  const machine = { cwd, path: process.env.PATH ?? "", env: { ...env, HOME: dir.join("home") } };
  const carryon = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await runOn(machine, process.execPath, [launcher, ...args]);
    if (code !== 0) throw new Error(`carryon ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
    return stdout;
  };
  const gitStatus = () => git(cwd, "status", "--porcelain", "--ignored", "--untracked-files=all");
  const before = await gitStatus();
  await carryon("init", "--yes");
  const sessions = async () => JSON.parse(await carryon("sessions", "--json")).sessions;
  return {
    ...{ claude, server, before, carryon, sessions, gitStatus, home: env.CARRYON_HOME },
    outline: async (session, strand = "main") => {
      const { entries } = JSON.parse(await carryon("show", session, "--json"));
      return (entries as readonly ShownEntry[]).filter((entry) => entry.strand === strand).flatMap(toLines);
    },
    [Symbol.asyncDispose]: async () => {
      await claude[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

function toLines({ kind, role, parts = [] }: ShownEntry): readonly string[] {
  if (kind === "summary") return ["summary"];
  if (kind !== "message") return [];
  // What has no place of its own in a message, such as a client's notes on a tool's result.
  const own = parts.filter((part) => part.type !== "other");
  return own.map((part) => [role, part.type, part.name].filter(Boolean).join(" "));
}

/** Returns where the settings of the client in the repository are. */
export function settingsOf({ claude }: RecordedClaude): string {
  return join(claude.cwd, ".claude", "settings.local.json");
}
