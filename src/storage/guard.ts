import { createSecretKey } from "node:crypto";
import type { EntryContent } from "../conversation/entry.ts";
import { redactContent } from "../conversation/redact-content.ts";
import { makeRedactor } from "../lib/redaction/redactor.ts";
import { type Fingerprint, makeFingerprint } from "./entry-codec.ts";

/** What stands between the caller and the store: every text that is stored has passed it. */
export interface Guard {
  /** Returns what a retry is compared by: a keyed hash of the content before it was redacted. */
  readonly fingerprint: Fingerprint;
  /** Returns the content without secrets; the very same object when there are none. */
  readonly redact: <Content extends EntryContent>(content: Content) => Content;
  readonly redactText: (text: string) => string;
}

/** Makes the guard of a home folder's key, which never reaches the store. */
export function makeGuard(key: Uint8Array): Guard {
  const redactor = makeRedactor(createSecretKey(key));
  return {
    fingerprint: makeFingerprint(key),
    redact: (content) => redactContent(redactor, content),
    redactText: redactor.redactText,
  };
}
