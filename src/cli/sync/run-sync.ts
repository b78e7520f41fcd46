import { resolve } from "node:path";
import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { AppError } from "../../lib/app-error.ts";
import { syncClient } from "../../recording/sync-client.ts";
import { openStore } from "../../storage/open-store.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { CommandContext } from "../command-context.ts";
import { openProgress } from "../progress.ts";
import { renderBar } from "../render-bar.ts";
import { renderJson } from "../render-json.ts";
import { sayDeletions } from "../share/name-deletions.ts";
import { renderReport, renderTroubles } from "./render-report.ts";
import { renderRemote, renderRemoteRemarks, shareRemote, toRemoteReportJson } from "./share-remote.ts";
import { tellOfServer } from "./tell-of-server.ts";

export interface SyncChoices {
  /** How old a transcript may be, in milliseconds. */
  readonly since?: number | undefined;
  /** A folder of the project that is meant. */
  readonly project?: string | undefined;
  readonly json?: true | undefined;
  /** Only sessions that hooks have told of, and those in the store. */
  readonly recorded?: true | undefined;
  /** Shared projects are exchanged with the remote store as well. */
  readonly remote?: true | undefined;
  /** No report and no progress. */
  readonly quiet?: true | undefined;
}

/** Takes in what Claude Code wrote, and reports. */
export async function runSync(
  context: CommandContext,
  { since, project, json, quiet, recorded, remote: isShared }: SyncChoices,
): Promise<void> {
  const { env, userHome, machine, cwd, clock } = context;
  const progress = openProgress(context);
  const report = await syncClient({
    home: locateHome(env, userHome),
    client: locateClient(userHome, env.CLAUDE_CONFIG_DIR),
    machine,
    ...{ now: clock.now(), clock, documents: env.CARRYON_STORE },
    ...(since === undefined ? {} : { since: new Date(clock.now().getTime() - since) }),
    ...(project === undefined ? {} : { folder: resolve(cwd, project) }),
    ...(recorded && { recorded }),
    onProgress: (done, total) => quiet || progress.show(renderBar(done, total, "sessions")),
  }).finally(() => progress.clear());
  await indexNew(context, quiet === true ? () => undefined : progress.show);
  progress.clear();
  const remote = isShared && (await shareRemote(context));
  if (quiet) return;
  const answer = { ...report, ...(remote && { remote: toRemoteReportJson(remote) }) };
  context.out(json ? `${renderJson(answer)}\n` : renderReport(report) + renderRemote(remote));
  if (json) return;
  context.err(renderTroubles(report) + renderRemoteRemarks(remote));
  await sayDeletions(context, remote?.deletions ?? []);
  await tellOfServer(context);
}

/** Takes what is new into the search index, so that the next search need not; it fails nothing. */
async function indexNew({ env, userHome }: CommandContext, show: (line: string) => void): Promise<void> {
  try {
    const { search, ...store } = await openStore(locateHome(env, userHome));
    await search
      .catchUp((done, total) => show(`Indexing: ${done} of ${total} entries`))
      .finally(() => store[Symbol.asyncDispose]());
  } catch (error) {
    // The next search says what is wrong, or does without.
    if (!(error instanceof AppError)) throw error;
  }
}
