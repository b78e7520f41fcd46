import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { listHooks } from "../../../src/clients/claude-code/hook-settings.ts";
import { type GatedCarryon, openGated } from "./gated-cli.ts";

/** A repository with gates in which `carryon init` was run, and its hooks. */
export interface HookedCarryon extends GatedCarryon {
  /** Lets an event happen as a client does, and returns what its hook answers; undefined for nothing. */
  tell(event: string, more?: object, env?: Readonly<Record<string, string>>): Promise<Answer | undefined>;
  /** Returns the lines of the log. */
  log(): Promise<readonly string[]>;
}

/** What a hook answers. */
interface Answer {
  readonly decision?: string;
  readonly reason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

export const session = "11111111-2222-4333-8444-555555555555";

/** Opens a repository with gates, and installs the hooks. */
export async function openHooked(gates: string): Promise<HookedCarryon> {
  const carryon = await openGated({ gates });
  const { code, stderr } = await carryon.call(["init", "--yes", "--no-import"]);
  if (code !== 0) throw new Error(`carryon init ended with ${code}: ${stderr}`);
  const { folder, root } = carryon;
  const settings = await readFile(join(root, ".claude", "settings.local.json"), "utf8");
  const commands = new Map(listHooks(settings).map(({ event, command }) => [event, command]));
  return {
    ...carryon,
    log: async () => {
      const log = await readFile(join(folder, "home", "carryon.log"), "utf8").catch(() => "");
      return log.split("\n").filter((line) => line !== "");
    },
    tell: async (event, more = {}, env = {}) => {
      const payload = { session_id: session, cwd: root, hook_event_name: event, ...more };
      const cache = { NODE_COMPILE_CACHE: join(tmpdir(), "compile-cache") };
      const own = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, ...cache, ...env };
      const child = spawn("sh", ["-c", commands.get(event) ?? "exit 9"], { cwd: root, env: own });
      child.stdin.end(JSON.stringify(payload));
      const said = Promise.all([text(child.stdout), text(child.stderr)]);
      await once(child, "close");
      const [stdout, stderr] = await said;
      if (child.exitCode !== 0 || stderr !== "") throw new Error(`${event}: ${child.exitCode}, ${stderr}`);
      return stdout === "" ? undefined : JSON.parse(stdout);
    },
  };
}
