import { resolve } from "node:path";
import { locateClient } from "../../clients/claude-code/locate-client.ts";
import { unlessFailed } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { syncClient } from "../../recording/sync-client.ts";
import type { ExchangeReport } from "../../share/exchange-report.ts";
import { describeMissing } from "../../share/remote-status.ts";
import type { RemoteReport } from "../../share/sync-remote.ts";
import { openStore } from "../../storage/open-store.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { storeOf } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { openProgress } from "../progress.ts";
import { renderBar } from "../render-bar.ts";
import { indexStore } from "../search/show-indexing.ts";
import { sayDeletions } from "../share/name-deletions.ts";
import { renderExchange, renderRemarks, toExchangeJson } from "../share/render-exchange.ts";
import { renderReport, renderTroubles } from "./render-report.ts";

/** Says that a client is recorded on this machine, where commands read another store. */
export async function tellOfServer(context: CommandContext): Promise<void> {
  const { file, path } = await storeOf(context);
  if (file !== undefined) return;
  context.err(
    `Claude Code is recorded in the store of this machine, not in ${toPrintableLine(path)}. ` +
      "To read it, run commands without CARRYON_STORE and without `store` in config.yaml.\n",
  );
}

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
  const remote = isShared && (await shareRemote(context));
  await indexNew(context, quiet);
  if (quiet) return;
  const answer = { ...report, ...(remote && { remote: toRemoteReportJson(remote) }) };
  context.out(json ? `${renderJson(answer)}\n` : renderReport(report) + renderRemote(remote));
  if (json) return;
  context.err(renderTroubles(report) + renderRemoteRemarks(remote));
  await sayDeletions(context, remote?.deletions ?? []);
  await tellOfServer(context);
}

/** Takes what is new into the search index, so that the next search need not; it fails nothing. */
async function indexNew(context: CommandContext, quiet: true | undefined): Promise<void> {
  const store = await unlessFailed(openStore(locateHome(context.env, context.userHome)), undefined);
  if (store === undefined) return;
  const indexed: Promise<unknown> = quiet
    ? unlessFailed(store.search.catchUp(), 0)
    : indexStore(context, store);
  await indexed.finally(() => store[Symbol.asyncDispose]());
}

/** Exchanges shared projects with the remote store, where there is one. */
async function shareRemote(context: CommandContext): Promise<RemoteReport | undefined> {
  const { env, userHome, machine, clock } = context;
  // Loaded here, because most users have none.
  const { syncRemote } = await import("../../share/sync-remote.ts");
  return syncRemote({ home: locateHome(env, userHome), machine, now: clock.now() });
}

/** Returns what was exchanged in its JSON form: docs/formats/cli-json.md. */
function toRemoteReportJson({ store, pushed, pulled, missing, trouble }: RemoteReport) {
  return {
    ...{ store, missing },
    pushed: pushed.map(toExchangeJson),
    pulled: pulled.map(toExchangeJson),
    trouble: trouble ?? null,
  };
}

/** Says in two lines what was exchanged. */
function renderRemote(remote: RemoteReport | undefined): string {
  if (remote === undefined || remote.pushed.length + remote.pulled.length === 0) return "";
  const { store, pushed, pulled } = remote;
  return (
    renderExchange("Pushed to", store, join(pushed)) + renderExchange("Pulled from", store, join(pulled))
  );
}

/** Says what a person should know of it, and why it failed. */
function renderRemoteRemarks(remote: RemoteReport | undefined): string {
  if (remote === undefined) return "";
  const { store, pushed, pulled, missing, trouble } = remote;
  const troubles = [
    ...(missing.length === 0
      ? []
      : [`${describeMissing(missing)}: \`carryon status\` in its folder says its name`]),
    ...(trouble === undefined ? [] : [trouble]),
  ];
  return [
    renderRemarks("Pushed to", join(pushed)),
    renderRemarks("Pulled from", join(pulled)),
    ...troubles.map((each) => `${toPrintableLine(`Not in step with ${store}: ${each}`)}\n`),
  ].join("");
}

function join(reports: readonly ExchangeReport[]): ExchangeReport {
  const sum = (of: (report: ExchangeReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    sessions: sum(({ sessions }) => sessions),
    records: sum(({ records }) => records),
    entries: sum(({ entries }) => entries),
    scrubbed: sum(({ scrubbed }) => scrubbed),
    changes: reports.flatMap(({ changes }) => changes),
  };
}
