import { type Decision, decisionFields } from "../decision.ts";

/** Returns the lines of an entry, without the end of the last one. */
export function renderDecision(entry: Decision): string {
  const fields = decisionFields.flatMap(({ field, label }) =>
    entry[field] === "" ? [] : [`- ${label}: ${entry[field]}`],
  );
  return [`[${entry.at}] D${entry.seq}: ${entry.type} | ${entry.summary}`, ...fields].join("\n");
}

/** Returns a time as ISO 8601 with an offset: that of this machine, unless told how many minutes it is ahead of UTC. */
export function renderTime(at: Date, ahead: number = -at.getTimezoneOffset()): string {
  const local = new Date(at.getTime() + ahead * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(ahead);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${local}${ahead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
