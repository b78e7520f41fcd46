import { AppError, isSystemError } from "../../lib/app-error.ts";
import { StoreFailed, StoreIsBusy, StoreIsFull } from "../store-errors.ts";

/** The server cannot be reached, or does not answer in time. Whether the last write is stored is unknown. */
class StoreUnreachable extends AppError {
  constructor(where: string, reason: string, cause: unknown) {
    super(`The store ${where} cannot be reached: ${reason}.`, {
      kind: "busy",
      code: "store-unreachable",
      hint: "Check that the server runs and that this machine can reach it. Everything that was acknowledged is there; the last write may be stored or not. An entry that comes again with the same id is stored once.",
      cause,
    });
  }
}

/** The server is there but does not let us in. */
class StoreRefused extends AppError {
  constructor(where: string, reason: string, cause: unknown) {
    super(`The store ${where} refused the connection: ${reason}.`, {
      kind: "config",
      code: "store-refused",
      hint: "Check user, password, database and TLS in CARRYON_STORE or config.yaml.",
      cause,
    });
  }
}

/** Tells whether a transaction may succeed when it is run again: two of them stood in each other's way. */
export function isRetryable(error: unknown): boolean {
  return ["40001", "40P01", "23505"].includes(stateOf(error) ?? "");
}

/** Tells whether a query failed so that what the connection did last is unknown, and it must not be used again. */
export function isLost(error: unknown): boolean {
  return stateOf(error) === undefined || /^(08|57)/.test(stateOf(error) ?? "");
}

/** How a server ends a connection, or does not begin it. */
const ended = new Map([
  ["25P03", "it ended a transaction that had stood still for too long"],
  ["25P04", "it ended a transaction that took too long"],
  ["57P01", "it ended the connection"],
  ["57P02", "it ended the connection after a crash"],
  ["57P03", "it is starting or stopping"],
  ["57P05", "it ended a connection that had not been used"],
]);

const missingRight = "this user lacks a right that Carryon needs";

const refused = new Map([
  ["28P01", "the password is wrong"],
  ["28000", "this user may not connect"],
  ["3D000", "there is no such database"],
  ["42501", missingRight],
]);

/** Returns the error for a right whose lack was found out before the server complained. */
export function lacksRight(where: string): AppError {
  return new StoreRefused(where, missingRight, undefined);
}

/** Returns the error that a caller can act on. The driver's own error never carries the password. */
export function toStoreError(error: unknown, where: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const state = stateOf(error);
  if (state === undefined) return fromConnection(error, where);
  const reason = refused.get(state);
  if (reason !== undefined) return new StoreRefused(where, reason, error);
  const ending = ended.get(state);
  if (ending !== undefined) return new StoreUnreachable(where, ending, error);
  if (state === "53100" || state === "53200") return new StoreIsFull(where, error);
  if (state === "25006") return serverIsReadOnly(where, error);
  if (/^(40|53|55P03|57)/.test(state)) return new StoreIsBusy(where, error);
  if (/^(08|58|XX)/.test(state)) return new StoreFailed(where, error.message, error);
  return error;
}

function serverIsReadOnly(where: string, cause: unknown): AppError {
  return new AppError(`The store ${where} is read-only.`, {
    kind: "io",
    code: "store-read-only",
    hint: "Reading works. To write, connect to the primary server, as a user whose transactions may write.",
    cause,
  });
}

function fromConnection(error: Error, where: string): unknown {
  if (isSystemError(error, "ECONNREFUSED"))
    return new StoreUnreachable(where, "nothing listens there", error);
  if ("syscall" in error && error.syscall === "getaddrinfo")
    return new StoreUnreachable(where, "its host is not known", error);
  if ("syscall" in error || isSystemError(error, "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH")) {
    return new StoreUnreachable(where, "the connection broke", error);
  }
  if (/timeout/i.test(error.message)) return new StoreUnreachable(where, "it did not answer in time", error);
  if (/terminated|ended|not queryable/i.test(error.message)) {
    return new StoreUnreachable(where, "the connection broke", error);
  }
  if (/^SASL|password/i.test(error.message)) {
    return new StoreRefused(where, "the password is missing, or the server does not know it", error);
  }
  if (/SSL|TLS|certificate|self-signed/i.test(error.message) || isTlsError(error)) {
    return new StoreRefused(where, "the TLS connection failed", error);
  }
  return error;
}

function isTlsError(error: Error): boolean {
  return (
    "code" in error &&
    typeof error.code === "string" &&
    /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED)/.test(error.code)
  );
}

/** The five characters by which PostgreSQL names an error. */
function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && "severity" in error ? error.code : undefined;
}
