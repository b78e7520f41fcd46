import { locateClient } from "../clients/claude-code/locate-client.ts";
import { isSkipped } from "../gates/may-have-gates.ts";
import { usePass } from "../gates/pass.ts";
import { isToldElsewhere } from "../git/told-elsewhere.ts";
import { parseIfJson } from "../lib/parse-if-json.ts";
import { answerStart } from "./answer-start.ts";
import { askCarryon } from "./ask-carryon.ts";
import { chooseGateFolders, type GateFolder } from "./gate-folder.ts";
import type { HookSurroundings } from "./surroundings.ts";
import type { HookEvent } from "./to-event.ts";
import type { WireEvent } from "./wire.ts";

/** How long a client waits at most for whether a project is trusted. */
const trustMs = 5000;

/** What was heard, and where. */
export interface Heard {
  readonly wire: WireEvent;
  /** The same as the client wrote it. */
  readonly input: string;
  readonly cwd: string;
}

/** Returns what the client is to be told, in its own form; undefined for nothing, or nothing more. */
export async function answerEvent(
  surroundings: HookSurroundings,
  { asks }: Pick<HookEvent, "asks">,
  { wire, input, cwd }: Heard,
): Promise<string | undefined> {
  const { home, env, userHome, process, note } = surroundings;
  const event = wire.hook_event_name;
  if (asks === "carryon")
    return answerStart(surroundings, { what: event, input, cwd }).then(
      () => undefined,
      (error: unknown) => sayUnknown(event, error, note),
    );
  const clientFolder = locateClient(userHome, env.CLAUDE_CONFIG_DIR);
  if (asks === "nobody") return undefined;
  const places = { home, env, userHome, clientFolder };
  const folders: readonly GateFolder[] =
    asks === "gates" ? [{ folder: cwd, watches: "all" }] : chooseGateFolders(wire, cwd, places);
  const { session_id: session } = wire;
  let first: string | undefined;
  for (const { folder, watches } of folders) {
    const holder = { home, session, cwd: folder, clientFolder };
    if (mayPass(env) && usePass(holder, wire, new Date())) continue;
    const asked = { home, env, cwd: folder, what: "trust", input, withinMs: trustMs };
    const askTrust = async () => toTrust(await askCarryon(asked));
    const gated = { ...holder, watches, env, process, note, askTrust };
    const answer = await surroundings.loadGates().answerForGates(gated, wire);
    if (answer?.refuses) return answer.output;
    first ??= answer?.output;
  }
  return first;
}

/** Passes are for the repository that the folder is in, and where gates are not turned off. */
function mayPass(env: HookSurroundings["env"]): boolean {
  return !(isSkipped(env) || isToldElsewhere(env));
}

/** A session that is told nothing would take itself for the first one. */
function sayUnknown(event: string, error: unknown, note: HookSurroundings["note"]): string {
  note(error instanceof Error ? error.message : String(error));
  const additionalContext =
    "Carryon cannot tell now what earlier sessions in this project did, decided and left open: `carryon doctor` says why.";
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } });
}

function toTrust(line: string | undefined): boolean | undefined {
  const value = parseIfJson(line ?? "");
  return typeof value === "boolean" ? value : undefined;
}
