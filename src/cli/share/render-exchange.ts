import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { recordClient } from "../../sessions/session.ts";
import type { Exchanged, ExchangeOutcome, ExchangeReport } from "../../share/exchange-report.ts";

/** Says in a line what was brought, and where. */
export function renderExchange(
  verb: "Pushed to" | "Pulled from",
  store: string,
  report: ExchangeReport,
): string {
  const { sessions, entries, scrubbed } = report;
  const changes = report.changes.filter(({ client }) => client !== recordClient);
  const count = (...types: readonly ExchangeOutcome[]) =>
    changes.filter(({ type }) => types.includes(type)).length;
  const news = [
    [count("added", "parted", "renamed", "returned"), "new"],
    [count("extended", "continued"), "went on"],
    [count("described"), "titled or tagged"],
    [count("deleted"), "deleted"],
  ].flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const hasRecords = report.changes.length > changes.length;
  const said = [
    ...(news.length > 0 || hasRecords ? [`${plural(entries, "entry", "entries")};`] : []),
    news.length === 0
      ? `nothing new in ${plural(sessions, "session")}`
      : `of ${plural(sessions, "session")} ${news.join(", ")}`,
  ].join(" ");
  // What save, decide and handover wrote down is nobody's session, and no list shows it.
  const records = hasRecords ? "; and what was saved and handed over" : "";
  const side = verb === "Pushed to" ? "there" : "here";
  const replaced = scrubbed === 0 ? "" : ` Scrubbed ${side} too: ${plural(scrubbed, "entry", "entries")}.`;
  return `${verb} ${toPrintableLine(store)}: ${said}${records}.${replaced}\n`;
}

/** Returns a report in its JSON form: docs/formats/cli-json.md. */
export function toExchangeJson({ changes, ...report }: ExchangeReport) {
  return {
    ...report,
    changes: changes.map(({ was = null, reason = null, deletedAt, ...change }) => ({
      ...{ ...change, was, reason },
      deletedAt: deletedAt?.toISOString() ?? null,
    })),
  };
}

/** How many lines are shown; --json has all. */
const shown = 20;

/** Says what a person should know of single sessions. */
export function renderRemarks(verb: "Pushed to" | "Pulled from", { changes }: ExchangeReport): string {
  const side = verb === "Pushed to" ? "there" : "here";
  const told = changes.filter(({ type, client }) => type !== "deleted" || client !== recordClient);
  const remarks = told.flatMap((change) => describe(change, side));
  const lines = remarks.slice(0, shown).map((remark) => `${toPrintableLine(remark)}\n`);
  const rest = remarks.length - lines.length;
  return lines.join("") + (rest > 0 ? `… and ${rest} more; --json lists all.\n` : "");
}

function describe(
  { type, session, knownAs, was, reason, deletedAt }: Exchanged,
  side: "there" | "here",
): readonly string[] {
  const other = side === "there" ? "here" : "there";
  switch (type) {
    case "added":
    case "extended":
    case "described":
    // Each is named once: see nameDeletions.
    case "spared":
    case "withheld":
      return [];
    case "deleted":
      return side === "here" ? [`Session ${session} was deleted there, and is deleted here too`] : [];
    case "parted":
      return side === "there"
        ? [
            `Session ${knownAs} went two ways; this one is ${session} there. After \`carryon pull\` both are here, to be merged`,
          ]
        : [
            `Session ${knownAs} went two ways; the other one is ${session} here. To join them: carryon merge ${knownAs} ${session}`,
          ];
    case "continued":
      return [`Session ${was ?? knownAs} went on elsewhere, and is ${session} ${side} now`];
    case "renamed":
      return [`Another session is called ${knownAs} ${side}, so that this one is ${session}`];
    case "returned":
      return [`Session ${knownAs} was deleted ${side}, and went on ${other} since: it is kept as ${session}`];
    case "kept":
      if (side === "here" && deletedAt !== undefined) return [];
      return [`Session ${knownAs} was deleted ${other}, and went on ${side} since: ${session} stays`];
    case "gone":
      return side === "there"
        ? [`Session ${knownAs} was deleted there, and stays here until the next pull`]
        : [`Session ${knownAs} was deleted here, and stays there until the next push`];
    case "held":
      return [`Session ${session} is left as it is ${side}: ${reason}`];
    case "failed":
      return [`Session ${session} was not brought: ${reason}`];
  }
}
