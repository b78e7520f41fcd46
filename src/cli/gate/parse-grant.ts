import type { GateSatisfaction } from "../../gates/change-gates.ts";
import type { Gate } from "../../gates/gate.ts";
import { isJsonObject } from "../../gates/json-object.ts";
import { toSeconds } from "../../gates/to-seconds.ts";
import { AppError } from "../../lib/app-error.ts";
import { parseIfJson } from "../../lib/parse-if-json.ts";
import { type GateRequest, usage } from "./gate-request.ts";

/** Reads how gates are to be satisfied. */
export function parseGrant(request: GateRequest, gates: readonly Gate[]): GateSatisfaction {
  const metadata = parseMetadata(request);
  const ttl = parseTtl(request, gates);
  return {
    by: request.what === "approve" ? "approval" : "cli",
    ...(metadata && { metadata }),
    ...(ttl !== undefined && { ttl }),
  };
}

const defaultApproval = 300;

/** Returns how long it counts, in milliseconds: an approval for a while, everything else until it is cleared. */
function parseTtl({ what, ttl }: GateRequest, gates: readonly Gate[]): number | undefined {
  if (ttl !== undefined) return parseGivenTtl(ttl);
  if (what !== "approve") return undefined;
  const [gate] = gates;
  return (gate?.type === "dynamic" ? gate.approvalTtl : defaultApproval) * 1000;
}

function parseGivenTtl(text: string): number {
  const seconds = toSeconds(text);
  if (seconds > 0) return seconds * 1000;
  throw new AppError(
    `${JSON.stringify(text.slice(0, 40))} is not a duration that a gate can be satisfied for.`,
    {
      kind: "usage",
      code: "bad-duration",
      hint: "Give seconds, or a number and a unit, such as 30s, 5m, 1h or 7d.",
    },
  );
}

function parseMetadata({ what, metadata }: GateRequest): Readonly<Record<string, unknown>> | undefined {
  if (metadata === undefined) return what === "approve" ? { approved_by: "user" } : undefined;
  const value = parseIfJson(metadata);
  if (isJsonObject(value)) return value;
  throw usage("The metadata are no JSON object.", `Give them as in --metadata '{"ticket":"#12"}'.`);
}
