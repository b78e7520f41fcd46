import {
  converted,
  count,
  type Fields,
  flag,
  isObject,
  oneOf,
  orElse,
  orNull,
  type Reader,
  record,
  refined,
  text,
} from "../../lib/field-readers.ts";
import { type Blocker, blockerTypes, severities } from "../blocker.ts";

// A date alone would be read as UTC and a time without an offset as local; only times count here.
const isMoment = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads a moment of a state. */
export const moment: Reader<Date> = converted(
  refined(text, isMoment, "is not a time in ISO 8601"),
  (value) => new Date(value),
);

/** Reads a number of tasks or attempts. */
export const counter: Reader<number> = count(1_000_000);

/** Makes a reader of a field that may be null or left out. */
export function ifGiven<Value>(reader: Reader<Value>): Reader<Value | null> {
  return orElse(orNull(reader), null);
}

const shape = {
  type: oneOf(blockerTypes),
  severity: oneOf(severities),
  description: refined(text, (words) => words !== "", "is missing"),
  message: orElse(text, undefined),
  error_pattern: ifGiven(text),
  resolution: ifGiven(text),
  appeared_after: ifGiven(text),
  detected_at: moment,
  auto_detected: orElse(flag, false),
  recovery_agent: ifGiven(text),
  recovery_attempted: orElse(counter, 0),
  recovery_command: ifGiven(text),
  max_recovery_attempts: orElse(counter, 3),
  not_run_again: orElse(flag, false),
};

const fields = converted(record(shape), toBlocker);

/** Reads a blocker as the file and the log have it. */
export const readBlocker: Reader<Blocker> = (value, place) => fields(describe(value), place);

/** A description has another name, which is read where the first is not there. */
function describe(value: unknown): unknown {
  if (!isObject(value) || value.description !== undefined || typeof value.message !== "string") return value;
  return { ...value, description: value.message };
}

function toBlocker(wire: Fields<typeof shape>): Blocker {
  return {
    type: wire.type,
    severity: wire.severity,
    description: wire.description,
    ...(wire.error_pattern && { errorPattern: wire.error_pattern }),
    ...(wire.resolution && { resolution: wire.resolution }),
    ...(wire.appeared_after && { appearedAfter: wire.appeared_after }),
    detectedAt: wire.detected_at,
    isAutoDetected: wire.auto_detected,
    ...(wire.recovery_agent && { recoveryAgent: wire.recovery_agent }),
    recoveryAttempted: wire.recovery_attempted,
    ...(wire.recovery_command && { recoveryCommand: wire.recovery_command }),
    maxRecoveryAttempts: wire.max_recovery_attempts,
    ...(wire.not_run_again && { isStale: true }),
  };
}
