import type { HereDoc, Redirect, Redirection } from "unbash";
import { exactly, isDevice, isExact, join, type KnownText, wild } from "./argument.ts";
import { type Classification, nothing, quote, unknown, worst, writes } from "./classification.ts";
import { judgeName } from "./environment.ts";
import { joinParts, knownTextOf } from "./expand-word.ts";
import { type Shell, spend } from "./shell.ts";

/** Judges what the redirections of a command write to. */
export function judgeRedirections(redirections: readonly Redirection[], shell: Shell): Classification {
  return worst(
    ...redirections.map((each) => (each.type === "Redirect" ? judgeRedirect(each, shell) : nothing)),
  );
}

function judgeRedirect(redirect: Redirect, shell: Shell): Classification {
  const { descriptor } = redirect;
  const set = descriptor?.type === "FileDescriptorVariable" ? judgeName(descriptor.name) : nothing;
  return worst(set, judgeTarget(redirect, shell));
}

function judgeTarget({ operator, target }: Redirect, shell: Shell): Classification {
  if (operator === "<" || operator === "<&") return nothing;
  if (target === undefined) return unknown(`${quote(operator)} has no target.`);
  const known = knownTextOf(target, shell);
  if (operator === ">&" && /^(?:\d+-?|-)$/.test(known.text) && isExact(known)) return nothing;
  if (operator === ">&" && known.rest === "wild")
    return unknown(`Where ${quote(`>&${target.text}`)} goes is decided only when it runs.`);
  return isDevice(known) ? nothing : writes(`${quote(`${operator} ${target.text}`)} writes a file.`);
}

/** Returns what the redirections give a command to read, or else what it reads without them. */
export function stdinOf(redirections: readonly Redirection[], shell: Shell): KnownText {
  return redirections.filter(feedsInput).reduce((_, each) => inputOf(each, shell), shell.stdin);
}

function feedsInput({ descriptor, operator }: Redirection): boolean {
  if (descriptor !== undefined) return descriptor.type === "FileDescriptor" && descriptor.value === 0;
  return operator.startsWith("<");
}

function inputOf(redirection: Redirection, shell: Shell): KnownText {
  if (redirection.type === "HereDoc") return bodyOf(redirection, shell);
  if (redirection.type === "Redirect" || redirection.target === undefined) return wild;
  return join(knownTextOf(redirection.target, shell), exactly("\n"));
}

function bodyOf({ operator, delimiter, body }: HereDoc, shell: Shell): KnownText {
  if (delimiter === undefined || !spend(shell, body.end - body.pos)) return wild;
  const parts = delimiter.quoted ? undefined : body.parts;
  const known = parts === undefined ? exactly(body.text) : joinParts(parts, shell);
  return operator === "<<-" ? { ...known, text: known.text.replace(/^\t+/gm, "") } : known;
}
