import { join } from "node:path";
import { readHead } from "../../git/read-head.ts";
import { launcherFile } from "../../lib/hook-files.ts";
import type { Gate, GateConfig } from "../gate.ts";
import type { GateSite } from "../gate-site.ts";
import { locateHeld } from "../held/held-rules.ts";
import { isSkippedByUser } from "../is-skipped-by-user.ts";
import { locateGateCache } from "../locate-gate-cache.ts";
import { locateGates } from "../state/gate-place.ts";
import { isEditor, writesOf } from "../verdict/guards-call.ts";
import type { ClientSession, SessionHead } from "./client-session.ts";
import { findRules, type SessionRules } from "./find-rules.ts";
import { openGateSite } from "./open-gate-site.ts";

/**
 * Opens the gates that a session meets; undefined where no gate does anything: outside a repository, on a detached HEAD
 * that it began on, where they are turned off or skipped, and for a session that does not say who it is.
 */
export async function openSessionGates(client: ClientSession): Promise<GateSite | undefined> {
  if (client.session === "" || (await isSkippedByUser(client))) return undefined;
  const head = await findHead(client);
  if (head === undefined) return undefined;
  const open = (rules: SessionRules) => openAt(client, head, rules);
  const rules = await findRules(client, head, open);
  if (rules?.config.enabled !== true) return undefined;
  return open(client.watches === "writes" ? { ...rules, config: toWritesOnly(rules.config) } : rules);
}

function openAt(
  client: ClientSession,
  head: SessionHead,
  { config, branch, isOutdated = false }: SessionRules,
): GateSite {
  const { session, home, clientFolder, env, clock, process, tell } = client;
  const { root, commonFolder } = head;
  const cacheFolder = locateGateCache(home, commonFolder);
  const place = { folder: locateGates(commonFolder), project: root, clock, cache: cacheFolder };
  const site = openGateSite({
    launcher: join(home, "bin", launcherFile),
    ledger: locateHeld({ home, session }),
    ...{ config, root, branch, commonFolder, session, place, cacheFolder, clientFolder, env, process, tell },
  });
  return isOutdated ? { ...site, isOutdated } : site;
}

/** Git is only asked where the files alone do not say it: starting it takes longer than all the rest. */
async function findHead({ cwd, env }: ClientSession): Promise<SessionHead | undefined> {
  const head = readHead(cwd, { env });
  if (head !== undefined) return head ?? undefined;
  const { readGitFacts } = await import("../../git/git-facts.ts");
  return readGitFacts(cwd);
}

/**
 * Returns what a configuration says of files that a command may write from elsewhere. The command itself is up to where it
 * runs, and of whether it writes here nothing is certain before.
 */
function toWritesOnly(config: GateConfig): GateConfig {
  const narrow = (gate: Gate): Gate => ({
    ...gate,
    triggers: gate.triggers.filter(({ tool }) => isEditor(tool)),
    shellWrites: writesOf(gate, config) === "ignore" ? "ignore" : "check",
  });
  return { ...config, gates: config.gates.map(narrow) };
}
