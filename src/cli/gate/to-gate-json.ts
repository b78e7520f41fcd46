import type { Gate } from "../../gates/gate.ts";
import type { GateReading, GateStatus } from "../../gates/inspect-gate-files.ts";
import type { JsonObject } from "../../sessions/entry.ts";

/** Returns the status in its JSON form: docs/formats/cli-json.md. */
export function toGateJson(status: GateStatus): JsonObject {
  const { branch, session, rows, problems, inert, waiting, live } = status;
  return {
    branch,
    session,
    gates: rows.map(toRowJson),
    problems: problems.map(({ path, line, problem, hint }) => ({ path, line, problem, hint })),
    inert: inert ?? null,
    waiting: [...waiting],
    sessions: live.map(({ key, branch }) => ({ session: key, branch })),
  };
}

function toRowJson({ gate, triggered, judgement, ...row }: GateReading): JsonObject {
  return {
    name: gate.name,
    type: gate.type,
    scope: gate.scope,
    triggered,
    satisfied: judgement.satisfied,
    satisfied_by: row.satisfiedBy,
    expires_at: row.expiresAt === null ? null : row.expiresAt.toISOString(),
    figure: row.figure ?? null,
    limit: gate.type === "dynamic" ? (gate.thresholds.block ?? null) : null,
    remark: row.remark ?? null,
    ...toWordsJson(gate),
  };
}

/** Returns what a gate asks for, in the words of the configuration. */
export function toWordsJson({ description, message, checklist }: Gate): JsonObject {
  return { description: description ?? null, message: message ?? null, checklist: [...checklist] };
}
