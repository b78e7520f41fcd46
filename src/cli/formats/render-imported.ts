import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { TakenSession } from "../../sessions/take-session.ts";
import type { FileOutcome } from "./import-files.ts";

/** Renders what became of each session, a line each. */
export function renderImported(outcomes: readonly FileOutcome[]): string {
  return outcomes
    .flatMap((outcome) => ("imported" in outcome ? outcome.imported.sessions : []))
    .map((session) => `${describeTaken(session)}\n`)
    .join("");
}

function describeTaken(taken: TakenSession): string {
  switch (taken.type) {
    case "added":
      return `added     ${taken.session}  ${describeAdded(taken)}${describeOther(taken)}`;
    case "extended":
      return `extended  ${taken.session}  ${describeAdded(taken)}${describeOther(taken)}`;
    case "parted":
      return `forked    ${taken.session}  ${describeAdded(taken)}; ${taken.from} went another way here`;
    case "known":
      return `known     ${taken.session}`;
    case "deleted":
      return `left out  ${taken.session}  it was deleted here, and a deleted session does not come back`;
  }
}

function describeAdded({ added, redacted }: { readonly added: number; readonly redacted: number }): string {
  const secrets = redacted === 0 ? "" : `, secrets taken out of ${redacted}`;
  return `${plural(added, "entry", "entries")}${secrets}`;
}

/** Another session has the id that it came with. */
function describeOther({ session, from }: TakenSession): string {
  return session === from ? "" : `; another session is ${from} here`;
}

/** Renders what went wrong with files of which others were imported. */
export function renderProblems(outcomes: readonly FileOutcome[]): string {
  return outcomes
    .flatMap((outcome) => {
      const name = toPrintableLine(outcome.file.name);
      if ("error" in outcome) return [`${name}: ${outcome.error.message}\n`];
      const { problem } = outcome.imported;
      return problem === undefined ? [] : [`${name}: ${problem.message} What comes before it was kept.\n`];
    })
    .join("");
}

/** Returns the answer of `--json`. */
export function toImportJson(outcomes: readonly FileOutcome[]): object {
  return {
    files: outcomes.map((outcome) => {
      const file = outcome.file.name;
      if ("error" in outcome) {
        const { code, message } = outcome.error;
        return { file, format: null, sessions: [], problem: { code, message } };
      }
      const { format, sessions, problem } = outcome.imported;
      return {
        ...{ file, format, sessions: sessions.map(toSessionJson) },
        problem: problem === undefined ? null : { code: problem.code, message: problem.message },
      };
    }),
  };
}

function toSessionJson(taken: TakenSession): object {
  const { type, session, from } = taken;
  const counted = "added" in taken ? taken : { added: 0, redacted: 0 };
  return { session, from, outcome: type, added: counted.added, redacted: counted.redacted };
}
