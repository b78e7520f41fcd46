import { findSecrets } from "../../redaction/find-secrets.ts";

/** Kinds that a guess finds, or that source code and its tests are full of: they are hidden in the log, but no reason to leave a file out of a commit. */
const weakKinds: ReadonlySet<string> = new Set([
  "authorization",
  "basic-credentials",
  "bearer-token",
  "command-password",
  "cookie",
  "jwe",
  "jwt",
  "netrc-password",
  "password",
  "password-hash",
  "pgpass-password",
  "request-signature",
  "seed-phrase",
  "sentry-dsn",
  "sql-password",
  "url-password",
  "url-token",
]);

/** A secret whose form leaves no doubt. */
export interface StrongSecret {
  readonly kind: string;
  readonly secret: string;
}

/** Returns the secrets of a text whose form leaves no doubt: keys and tokens of known services, private keys. */
export function findStrongSecrets(text: string): readonly StrongSecret[] {
  return findSecrets(text).flatMap(({ kind, start, end }) =>
    weakKinds.has(kind) ? [] : [{ kind, secret: text.slice(start, end) }],
  );
}
