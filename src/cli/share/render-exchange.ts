import { toPrintableLine } from "../../lib/printable.ts";
import type { Exchanged, ExchangeOutcome, ExchangeReport } from "../../sync/exchange/exchange-report.ts";
import { plural } from "../plural.ts";

/** Says in a line what was brought, and where. */
export function renderExchange(
  verb: "Pushed to" | "Pulled from",
  store: string,
  report: ExchangeReport,
): string {
  const { sessions, entries, changes, scrubbed } = report;
  const count = (...types: readonly ExchangeOutcome[]) =>
    changes.filter(({ type }) => types.includes(type)).length;
  const news = [
    [count("added", "parted", "renamed", "returned"), "new"],
    [count("extended"), "went on"],
    [count("deleted"), "deleted"],
  ].flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`]));
  const where = toPrintableLine(store);
  const replaced = scrubbed === 0 ? "" : ` Scrubbed there too: ${plural(scrubbed, "entry", "entries")}.`;
  if (news.length === 0)
    return `${verb} ${where}: nothing new in ${plural(sessions, "session")}.${replaced}\n`;
  return `${verb} ${where}: ${plural(entries, "entry", "entries")}; of ${plural(sessions, "session")} ${news.join(", ")}.${replaced}\n`;
}

/** How many lines are shown; --json has all. */
const shown = 20;

/** Says what a person should know of single sessions. */
export function renderRemarks(verb: "Pushed to" | "Pulled from", { changes }: ExchangeReport): string {
  const side = verb === "Pushed to" ? "there" : "here";
  const remarks = changes.flatMap((change) => describe(change, side));
  const lines = remarks.slice(0, shown).map((remark) => `${toPrintableLine(remark)}\n`);
  const rest = remarks.length - lines.length;
  return lines.join("") + (rest > 0 ? `… and ${rest} more; --json lists all.\n` : "");
}

function describe({ type, session, knownAs, reason }: Exchanged, side: "there" | "here"): readonly string[] {
  const other = side === "there" ? "here" : "there";
  switch (type) {
    case "added":
    case "extended":
    case "deleted":
      return [];
    case "parted":
      return [
        `Session ${knownAs} went two ways; the other one is ${session} ${side}. To join them: carryon merge ${knownAs} ${session}`,
      ];
    case "renamed":
      return [`Another session is called ${knownAs} ${side}, so that this one is ${session}`];
    case "returned":
      return [`Session ${knownAs} was deleted ${side}, and went on ${other} since: it is kept as ${session}`];
    case "kept":
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
