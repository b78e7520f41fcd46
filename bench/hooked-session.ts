import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addHooks } from "../src/clients/claude-code/hook-settings.ts";
import { renderHookCommand } from "../src/install/programs.ts";
import { type Claude, openClaude } from "../test/support/clients/open-claude.ts";
import { openModelServer } from "../test/support/model-server/open-model-server.ts";
import { readScenario } from "../test/support/model-server/scenario.ts";
import type { Bench, Measurement } from "./figure.ts";
import type { HookHome } from "./hook-home.ts";
import { compare, interleave, subject } from "./measure.ts";

const version = "2.1.325";

interface Session {
  readonly measurements: readonly Measurement[];
  readonly notes: readonly string[];
}

/** A whole session of the real Claude Code with hooks, beside the same without; a note where it cannot be run here. */
export async function measureSession(bench: Bench, { hook }: HookHome): Promise<Session> {
  const work = `claude -p with two tool calls and hooks, ten of them run`;
  try {
    await using server = await openModelServer(readScenario("everyday"));
    await using plain = await openClaude({ version, server });
    await using hooked = await openClaude({ version, server });
    const folder = join(hooked.cwd, ".claude");
    mkdirSync(folder, { recursive: true });
    const command = renderHookCommand({ node: process.execPath, hook });
    writeFileSync(join(folder, "settings.local.json"), addHooks("{}\n", command));
    const times = await interleave(
      [runSubject("plain", plain), runSubject("hooked", hooked)],
      Math.max(2, Math.round(bench.scale.rounds / 100)),
    );
    const limit = "the same without hooks";
    return { measurements: [{ work, limit, ...compare(times, "hooked", "plain") }], notes: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { measurements: [], notes: [`${work}: not measured: ${reason}`] };
  }
}

function runSubject(name: string, claude: Claude) {
  return subject({
    name,
    prepare: () => undefined,
    work: async () => {
      const { exit, stderr } = await claude.run("make the hello file", ["--allowedTools", "Bash Write"]);
      if (exit !== 0) throw new Error(`claude ended with ${exit}: ${stderr}`);
    },
  });
}
