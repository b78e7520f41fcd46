import { createSecretKey } from "node:crypto";
import { makeRedactor, type Redactor } from "../redaction/redactor.ts";
import type { EntryContent, Part } from "../sessions/entry.ts";
import type { NewFork, NewSession } from "../sessions/session.ts";
import { type Fingerprint, makeFingerprint } from "./entry-codec.ts";

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

/** What a provider signed or encrypted is opaque: changed, it would be worth nothing, and it holds no text of ours. */
const opaqueKeys: ReadonlySet<string | number | undefined> = new Set([
  "signature",
  "encrypted_content",
  "encryptedContent",
]);

const ofClients = { isOpaque: (path: readonly (string | number)[]) => opaqueKeys.has(path.at(-1)) };

/** Returns the content with a marker for each secret in it; the very same object when there is none. */
export function redactContent<Content extends EntryContent>(redactor: Redactor, content: Content): Content {
  const changes = findChanges(redactor, content);
  return changes === undefined ? content : { ...content, ...changes };
}

function findChanges({ redactText, redactJson }: Redactor, content: EntryContent): object | undefined {
  switch (content.kind) {
    case "message": {
      const parts = content.parts.map((part) => redactPart({ redactText, redactJson }, part));
      const isSame = parts.every((part, index) => part === content.parts[index]);
      return changed(content, {
        parts: isSame ? content.parts : parts,
        ...redactFields(redactText, content, ["model", "clientMessageId"]),
      });
    }
    case "summary":
      return changed(content, { text: redactText(content.text) });
    case "round":
      return changed(content, { data: redactJson(content.data) });
    case "event":
      return changed(content, { event: redactText(content.event), data: redactJson(content.data) });
    case "checkpoint":
      return changed(content, { state: redactJson(content.state) });
    case "other":
      return changed(content, { raw: redactJson(content.raw, ofClients) });
  }
}

function redactPart({ redactText, redactJson }: Redactor, part: Part): Part {
  switch (part.type) {
    case "text":
      return withChanges(part, { text: redactText(part.text) });
    case "thinking": {
      const text = redactText(part.text);
      // The signature is that of the text as it was.
      return text === part.text ? part : { type: "thinking", text };
    }
    case "tool-call":
      return withChanges(part, {
        ...redactFields(redactText, part, ["call", "name"]),
        input: redactJson(part.input),
      });
    case "tool-result":
      return withChanges(part, { call: redactText(part.call), output: redactJson(part.output) });
    case "image":
    case "file":
      return withChanges(part, redactFields(redactText, part, ["mediaType", "name", "location", "sha256"]));
    case "other":
      return withChanges(part, { raw: redactJson(part.raw, ofClients) });
  }
}

/** Returns the fields that hold a text, redacted. */
function redactFields<Thing extends object>(
  redactText: Redactor["redactText"],
  thing: Thing,
  names: readonly (keyof Thing & string)[],
): Partial<Thing> {
  const redacted: Partial<Record<keyof Thing, string>> = {};
  // A loop, because every part of a message passes here.
  for (const name of names) {
    const text: unknown = thing[name];
    if (typeof text === "string") redacted[name] = redactText(text);
  }
  return redacted as Partial<Thing>;
}

function withChanges<Thing extends object>(thing: Thing, fields: Partial<Thing>): Thing {
  return changed(thing, fields) === undefined ? thing : { ...thing, ...fields };
}

/** Returns the fields if one of them differs from what it was. */
function changed<Thing extends object>(thing: Thing, fields: Partial<Thing>): Partial<Thing> | undefined {
  return (Object.keys(fields) as (keyof Thing)[]).some((key) => fields[key] !== thing[key])
    ? fields
    : undefined;
}
