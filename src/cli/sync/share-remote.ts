import { toPrintableLine } from "../../lib/printable.ts";
import { locateHome } from "../../project/locate-home.ts";
import type { RemoteReport } from "../../project/share/sync-remote.ts";
import type { ExchangeReport } from "../../sync/exchange/exchange-report.ts";
import type { CommandContext } from "../command-context.ts";
import { renderExchange, renderRemarks } from "../share/render-exchange.ts";

/** Exchanges shared projects with the remote store, where there is one. */
export async function shareRemote(context: CommandContext): Promise<RemoteReport | undefined> {
  const { env, userHome, machine, clock } = context;
  // Loaded here, because most users have none.
  const { syncRemote } = await import("../../project/share/sync-remote.ts");
  return syncRemote({ home: locateHome(env, userHome), machine, now: clock.now() });
}

/** Says in two lines what was exchanged. */
export function renderRemote(remote: RemoteReport | undefined): string {
  if (remote === undefined || remote.pushed.length + remote.pulled.length === 0) return "";
  const { store, pushed, pulled } = remote;
  return (
    renderExchange("Pushed to", store, join(pushed)) + renderExchange("Pulled from", store, join(pulled))
  );
}

/** Says what a person should know of it, and why it failed. */
export function renderRemoteRemarks(remote: RemoteReport | undefined): string {
  if (remote === undefined) return "";
  const { store, pushed, pulled, trouble } = remote;
  const remarks = renderRemarks("Pushed to", join(pushed)) + renderRemarks("Pulled from", join(pulled));
  return trouble === undefined
    ? remarks
    : `${remarks}${toPrintableLine(`Not in step with ${store}: ${trouble}`)}\n`;
}

function join(reports: readonly ExchangeReport[]): ExchangeReport {
  const sum = (of: (report: ExchangeReport) => number) =>
    reports.reduce((total, report) => total + of(report), 0);
  return {
    sessions: sum(({ sessions }) => sessions),
    entries: sum(({ entries }) => entries),
    scrubbed: sum(({ scrubbed }) => scrubbed),
    changes: reports.flatMap(({ changes }) => changes),
  };
}
