import { toPrintableLine } from "../../lib/printable.ts";
import type { ExchangeReport } from "../../share/exchange-report.ts";
import { describeMissing } from "../../share/remote-status.ts";
import type { RemoteReport } from "../../share/sync-remote.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import type { CommandContext } from "../command-context.ts";
import { renderExchange, renderRemarks, toExchangeJson } from "../share/render-exchange.ts";

/** Exchanges shared projects with the remote store, where there is one. */
export async function shareRemote(context: CommandContext): Promise<RemoteReport | undefined> {
  const { env, userHome, machine, clock } = context;
  // Loaded here, because most users have none.
  const { syncRemote } = await import("../../share/sync-remote.ts");
  return syncRemote({ home: locateHome(env, userHome), machine, now: clock.now() });
}

/** Returns what was exchanged in its JSON form: docs/formats/cli-json.md. */
export function toRemoteReportJson({ store, pushed, pulled, missing, trouble }: RemoteReport) {
  return {
    ...{ store, missing },
    pushed: pushed.map(toExchangeJson),
    pulled: pulled.map(toExchangeJson),
    trouble: trouble ?? null,
  };
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
