import { AppError, busyError, configError, ioError, isSystemError } from "../../lib/app-error.ts";
import { ifItWrote, StoreIsFull, storeFailed, storeIsBusy } from "../store-errors.ts";

/** The server cannot be reached, or does not answer in time. Whether the last write is stored is unknown. */
function storeUnreachable(where: string, reason: string, cause: unknown): AppError {
  return busyError("store-unreachable", `The store ${where} cannot be reached: ${reason}.`, {
    hint: `Check that the server runs and that this machine can reach it. Everything that was acknowledged is there. ${ifItWrote}`,
    cause,
  });
}

const checkAddress =
  "Check user, password, database and TLS of the address: on the command line, in CARRYON_STORE or in config.yaml.";

/** The server is there but does not let us in. */
function storeRefused(where: string, reason: string, cause: unknown, hint = checkAddress): AppError {
  return configError("store-refused", `The store ${where} refused the connection: ${reason}.`, {
    hint,
    cause,
  });
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
const rightsNeeded =
  "docs/postgres.md says which rights reading and writing need. After an update of Carryon, whoever owns its tables has to be the first to write.";

const refused = new Map([
  ["28P01", "the password is wrong"],
  ["28000", "this user may not connect"],
  ["3D000", "there is no such database"],
]);

/** Returns the error for a right whose lack was found out before the server complained. */
export function lacksRight(where: string, cause?: unknown): AppError {
  return storeRefused(where, missingRight, cause, rightsNeeded);
}

/** Returns the error that a caller can act on. The driver's own error never carries the password. */
export function toStoreError(error: unknown, where: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const state = stateOf(error);
  if (state === undefined) return fromConnection(error, where);
  if (state === "42501") return lacksRight(where, error);
  const reason = refused.get(state);
  if (reason !== undefined) return storeRefused(where, reason, error);
  const ending = ended.get(state);
  if (ending !== undefined) return storeUnreachable(where, ending, error);
  if (state === "53100" || state === "53200") return new StoreIsFull(where, error);
  if (state === "25006")
    return ioError("store-read-only", `The store ${where} is read-only.`, {
      hint: "Reading works. To write, connect to the primary server, as a user whose transactions may write.",
      cause: error,
    });
  if (/^(40|53|55P03|57)/.test(state)) return storeIsBusy(where, error);
  if (/^(08|58|XX)/.test(state)) return storeFailed(where, error.message, error);
  return error;
}

function fromConnection(error: Error, where: string): unknown {
  if (isSystemError(error, "ECONNREFUSED")) return storeUnreachable(where, "nothing listens there", error);
  if ("syscall" in error && error.syscall === "getaddrinfo")
    return storeUnreachable(where, "its host is not known", error);
  if ("syscall" in error || isSystemError(error, "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH")) {
    return storeUnreachable(where, "the connection broke", error);
  }
  if (/timeout/i.test(error.message)) return storeUnreachable(where, "it did not answer in time", error);
  if (/terminated|ended|not queryable/i.test(error.message)) {
    return storeUnreachable(where, "the connection broke", error);
  }
  if (/^SASL|password/i.test(error.message)) {
    return storeRefused(where, "the password is missing, or the server does not know it", error);
  }
  const failure = describeTlsFailure(error);
  return failure === undefined ? error : storeRefused(where, failure, error);
}

const unknownAuthority =
  "this machine does not know who signed its certificate (name the authority's file in NODE_EXTRA_CA_CERTS)";

/** What Node calls a certificate that it does not accept. */
const badCertificates = new Map([
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is that of another host"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", unknownAuthority],
  ["SELF_SIGNED_CERT_IN_CHAIN", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", unknownAuthority],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", unknownAuthority],
]);

function describeTlsFailure(error: Error): string | undefined {
  const code = "code" in error ? String(error.code) : "";
  const known = badCertificates.get(code);
  if (known !== undefined) return known;
  if (/does not support SSL/i.test(error.message)) {
    return "it offers no TLS (`?sslmode=disable` does without, on a network that is safe already)";
  }
  const isTls = /SSL|TLS|certificate/i.test(error.message) || /^(ERR_TLS|ERR_SSL|CERT_)/.test(code);
  return isTls ? "the TLS connection failed" : undefined;
}

/** The five characters by which PostgreSQL names an error. */
function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && "severity" in error ? error.code : undefined;
}
