import { createSecretKey } from "node:crypto";
import { makeRedactor, type Redactor } from "../redaction/redactor.ts";
import type { EntryContent } from "../sessions/entry.ts";
import type { NewFork, NewSession } from "../sessions/session.ts";
import { type Fingerprint, makeFingerprint } from "./entry-codec.ts";
import { redactContent } from "./redact-content.ts";

/** What stands between the caller and the store: every text that is stored has passed it. */
export interface Guard {
  /** Returns what a retry is compared by: a keyed hash of the content before it was redacted. */
  readonly fingerprint: Fingerprint;
  /** Returns the content without secrets; the very same object when there are none. */
  readonly redact: <Content extends EntryContent>(content: Content) => Content;
  /** Returns a text without secrets. */
  readonly redactText: (text: string) => string;
  /** Returns a value without secrets in its strings. */
  readonly redactJson: <Value>(value: Value) => Value;
  /** Returns the start of a session without secrets in its title, folder and branch. */
  readonly redactStart: <Start extends NewSession | NewFork>(start: Start) => Start;
}

/** Makes the guard of a home folder's key, which never reaches the store. */
export function makeGuard(key: Uint8Array): Guard {
  let made: Redactor | undefined;
  // Made at its first use: whoever only reads stores nothing.
  const redactor = () => (made ??= makeRedactor(createSecretKey(key)));
  return {
    fingerprint: makeFingerprint(key),
    redact: (content) => redactContent(redactor(), content),
    redactText: (text) => redactor().redactText(text),
    redactJson: (value) => redactor().redactJson(value),
    redactStart: (start) => ({
      ...start,
      cwd: redactor().redactText(start.cwd),
      ...(typeof start.branch === "string" ? { branch: redactor().redactText(start.branch) } : {}),
      ...(start.title === undefined ? {} : { title: redactor().redactText(start.title) }),
    }),
  };
}
