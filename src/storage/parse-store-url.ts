import type { ConnectionOptions } from "node:tls";
import { AppError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";

/** Where a PostgreSQL store is, without its password in anything that is shown. */
export interface StoreUrl {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** False on this machine; elsewhere TLS, with the server's certificate checked unless the URL says otherwise. */
  readonly ssl: false | ConnectionOptions;
  /** `host:port/database`: all that messages may show. */
  readonly shown: string;
}

/** An address that is no address of a store; it is never repeated. */
export class BadStoreUrl extends AppError {
  readonly reason: string;

  constructor(reason: string, meant = "") {
    super(`The address of the store is not valid: ${reason}.`, {
      kind: "config",
      code: "bad-store-url",
      hint: `${meant}Write postgres://user:password@host:port/database, in the password %40 for @, %2F for /, %23 for #, %3F for ? and %25 for %.`,
    });
    this.reason = reason;
  }
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`; what is wrong is named without repeating the URL.
 *
 * `otherwise` says what to do where it is not meant as an address.
 */
export function parseStoreUrl(text: string, otherwise = ""): StoreUrl {
  if (!/^postgres(ql)?:\/\//i.test(text))
    throw new BadStoreUrl("it must begin with postgres://", describeMeant(text) || otherwise);
  const url = URL.parse(text);
  if (url === null) throw new BadStoreUrl("its parts cannot be told apart");
  if (url.hostname === "") throw new BadStoreUrl("it names no host");
  // The end of a password with such a character in it would count as a database, and be shown.
  if (url.hash !== "" || `${url.pathname}${url.search}`.includes("@")) {
    throw new BadStoreUrl("a special character of the password must be percent-encoded");
  }
  refuseParameters(url.searchParams);
  const database = decode(url.pathname.slice(1)) || decode(url.username) || "postgres";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? 5432 : Number(url.port);
  return {
    ...{ host, port, database },
    user: decode(url.username) || undefined,
    password: decode(url.password) || undefined,
    ssl: chooseTls(host, url.searchParams.get("sslmode")),
    shown: `${url.hostname}:${port}/${database}`,
  };
}

/** Names the scheme that was mistyped, and repeats nothing of the address. */
function describeMeant(text: string): string {
  const scheme = /^([a-z0-9+.-]+):/i.exec(text)?.[1] ?? "";
  const [near] = suggest(scheme, ["postgres", "postgresql"]);
  return near === undefined ? "" : `Did you mean ${near}://? `;
}

/** Other parameters, such as a provider puts into its addresses, are ignored; these would be missed. */
const meaningful = /^(user|password|host|hostaddr|port|dbname|sslrootcert|sslcert|sslkey)$/i;

function refuseParameters(parameters: URLSearchParams): void {
  const [name] = [...parameters.keys()].filter((each) => meaningful.test(each));
  if (name === undefined) return;
  const isTls = name.toLowerCase().startsWith("ssl");
  throw new BadStoreUrl(
    isTls
      ? `its parameter ${name} is not supported; NODE_EXTRA_CA_CERTS names the file of an authority`
      : `its parameter ${name} belongs before the question mark`,
  );
}

function chooseTls(host: string, mode: string | null): false | ConnectionOptions {
  switch (mode) {
    case null:
      return isLoopback(host) ? false : { rejectUnauthorized: true };
    case "disable":
      return false;
    case "require":
    case "no-verify":
      return { rejectUnauthorized: false };
    case "verify-ca":
    case "verify-full":
      return { rejectUnauthorized: true };
    default:
      throw new BadStoreUrl("its sslmode is none of disable, require, no-verify, verify-ca and verify-full");
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}
