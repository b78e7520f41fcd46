import { keyOfCall } from "../../clients/claude-code/links.ts";
import type { Call } from "../digest.ts";

/** Tells whether two are the same call; hooks know it by another id. */
export function isSameCall(one: Pick<Call, "call">, other: Pick<Call, "call">): boolean {
  return keyOfCall(one.call) === keyOfCall(other.call);
}

/** Tells whether the output of a call says that the user refused it. */
export function isRefusal(output: string): boolean {
  return /doesn't want to (?:proceed|take this action)|tool use was rejected|denied by the user/i.test(
    output.slice(0, 400),
  );
}
