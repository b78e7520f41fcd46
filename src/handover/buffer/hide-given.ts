import { hideSecrets } from "../../redaction/hide-secrets.ts";

/** Fields that are no words for a document: git is asked for files, and the record is searched for the rest. */
const kept: ReadonlySet<string> = new Set(["files", "session", "work", "tag", "type"]);

/**
 * Returns what somebody says for a document without the secrets in it; the very same where there are none. The documents
 * may be committed, and the log does not have them either.
 */
export function hideGiven<Given>(given: Given): Given {
  return hide(given) as Given;
}

function hide(value: unknown): unknown {
  if (typeof value === "string") return hideSecrets(value);
  if (Array.isArray(value)) return hideInList(value);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, kept.has(name) ? field : hide(field)]);
  const isSafe = fields.every(([name, field]) => field === (value as Record<string, unknown>)[name]);
  return isSafe ? value : Object.fromEntries(fields);
}

/** A key of several lines that was pasted where one text a line is asked for is a secret only as a whole. */
function hideInList(items: readonly unknown[]): readonly unknown[] {
  const safe = items.map(hide);
  if (safe.every((each) => typeof each === "string")) {
    const joined = safe.join("\n");
    const whole = hideSecrets(joined);
    if (whole !== joined) return whole.split("\n");
  }
  return safe.every((each, index) => each === items[index]) ? items : safe;
}
