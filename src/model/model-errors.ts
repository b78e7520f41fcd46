import type { ErrorFacts } from "../lib/app-error.ts";
import { describeSpan } from "../lib/describe-span.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { type Answered, type Failure, isPassing } from "./failure.ts";
import { ModelError } from "./model-error.ts";
import type { Provider } from "./parse-model-name.ts";

/** Whom an error is about. */
export interface Asked {
  readonly provider: Provider;
  /** Who is asked, in messages: the provider, or the host of a server that was set in its place. */
  readonly title: string;
  /** As the provider calls the model. */
  readonly model: string;
  /** What must not be shown, wherever it comes from. */
  readonly key: string | undefined;
}

/** Longer words of a server are no sentence that says what is wrong. */
const longestQuote = 400;

/** More than this is not even looked at: a page of a proxy may be large. */
const longestLook = 10_000;

/** Shorter ones are placeholders that a server without keys is given, and parts of many words. */
const shortestKey = 8;

export function noKey({ title, keyVariable, id }: Provider): ModelError {
  return new ModelError(`There is no key for ${title}: set ${keyVariable}.`, {
    kind: "config",
    code: "no-model-key",
    hint: `Or write it as \`models: ${id}: apiKey:\` into config.yaml, which nobody else may read.`,
  });
}

export function badKey({ title, keyVariable }: Provider): ModelError {
  return new ModelError(`The key for ${title} has a line break or another character that no key has.`, {
    kind: "config",
    code: "bad-model-key",
    hint: `Set ${keyVariable}, or the setting in config.yaml, to the key alone.`,
  });
}

/** Turns a failure that is not tried again into an error. Nothing in it is secret, and all of it is printable. */
export function toModelError(failure: Failure, asked: Asked): ModelError {
  const { title, provider } = asked;
  const { hostVariable } = provider;
  switch (failure.type) {
    case "answered":
      return toAnsweredError(failure, asked);
    case "unreachable":
      return say(`${title} cannot be reached: ${quote(failure.reason, asked)}.`, {
        ...{ kind: "io", code: "model-unreachable" },
        hint: `Look at the network, and at ${hostVariable} where it is set.`,
      });
    case "broken":
      return say(`The connection to ${title} was lost: ${quote(failure.reason, asked)}.`, {
        ...{ kind: "io", code: "model-lost" },
        hint: "Ask again.",
      });
    case "silent":
      return say(`${title} sent nothing for ${describeSpan(failure.seconds * 1000)}.`, {
        ...{ kind: "io", code: "model-silent" },
        hint: "Ask again.",
      });
    case "empty":
      return say(`What ${title} sent is no reply of a model.`, {
        ...{ kind: "config", code: "model-no-reply" },
        hint: `Look at ${hostVariable}: it may lead to something else.`,
      });
  }
}

/** The reply had begun when it broke off: it is not asked for again, since part of it has been told. */
export function lostReply(failure: Failure, asked: Asked): ModelError {
  if (failure.type === "silent") return toModelError(failure, asked);
  return say(`The reply of ${asked.title} broke off: ${quote(reasonOf(failure), asked)}.`, {
    ...{ kind: "io", code: "model-lost" },
    hint: "Ask again.",
  });
}

function reasonOf(failure: Exclude<Failure, { type: "silent" }>): string {
  if (failure.type === "answered") return failure.message;
  return failure.type === "empty" ? "it ended too early" : failure.reason;
}

function toAnsweredError(failure: Answered, asked: Asked): ModelError {
  const { title, provider, model } = asked;
  const { keyVariable, hostVariable, id } = provider;
  const { status } = failure;
  const said = quote(failure.message, asked);
  if (status === 401) {
    // What the server says of it may repeat the key, or the better part of it.
    return say(`${title} refused the key.`, {
      ...{ kind: "config", code: "model-key-refused" },
      hint: `Set ${keyVariable} to a key that is valid.`,
    });
  }
  if (status === 403) {
    return say(`${title} does not allow this with the key that was given: ${said}.`, {
      ...{ kind: "config", code: "model-key-refused" },
      hint: `Set ${keyVariable} to a key that may use ${shownModel(model)}.`,
    });
  }
  if (status === 404) {
    return say(`${title} has no model ${shownModel(model)}: ${said}.`, {
      ...{ kind: "usage", code: "model-not-found" },
      hint: `Name another one with \`--model ${id}/…\`, or look at ${hostVariable} where it is set.`,
    });
  }
  if (isTooLong(failure)) {
    return say(`The conversation is too long for ${shownModel(model)}: ${said}.`, {
      ...{ kind: "usage", code: "context-too-long" },
      hint: "Have it summed up with `/compact`, or begin anew with `/reset`.",
    });
  }
  if (isPassing(failure)) return busy(failure, asked);
  return say(`${title} refused the request (${status}): ${said}.`, {
    kind: "usage",
    code: "model-refused",
  });
}

function busy(failure: Answered, asked: Asked): ModelError {
  const { status, retryAfterMs } = failure;
  const wait = retryAfterMs === undefined ? "later" : `in ${describeSpan(retryAfterMs)}`;
  return say(`${asked.title} cannot answer now (${status}): ${quote(failure.message, asked)}.`, {
    ...{ kind: "busy", code: "model-busy" },
    hint: `Ask again ${wait}.`,
  });
}

const tooLong =
  /prompt is too long|context[ _](length|window|limit|size)|maximum context|too many (input )?tokens/i;

function isTooLong({ status, message, reason }: Answered): boolean {
  if (status === 413) return true;
  return (status === 400 || status === 422) && tooLong.test(`${reason ?? ""} ${message}`);
}

/** Shows what came from outside: on one line, cut, printable and without secrets. The full stop is the sentence's own. */
function quote(text: string, { key }: Pick<Asked, "key">): string {
  const known = key === undefined || key.length < shortestKey ? [] : [key];
  const line = toPrintableLine(hideSecrets(text.slice(0, longestLook), known)).trim();
  const cut = line.length > longestQuote ? `${line.slice(0, longestQuote).toWellFormed()}…` : line;
  return cut.replace(/[.\s]+$/, "") || "it gave no reason";
}

function shownModel(model: string): string {
  return toPrintableLine(model);
}

function say(message: string, facts: ErrorFacts): ModelError {
  return new ModelError(message, facts);
}
