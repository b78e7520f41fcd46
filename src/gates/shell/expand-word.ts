import type {
  BraceExpansionPart,
  HereDoc,
  ParsedScript,
  Redirect,
  Redirection,
  Word,
  WordPart,
} from "unbash";
import { type Argument, exactly, isDevice, isExact, join, type KnownText, tame, wild } from "./argument.ts";
import { type Classification, nothing, quote, unknown, worst, writes } from "./classification.ts";
import { judgeName, type Shell, spend, variableOf } from "./shell.ts";

/** A piece of a word; what is not quoted may fall into several words. */
interface Piece {
  readonly known: KnownText;
  readonly isQuoted: boolean;
}

/** More words than this from one are not told apart. */
const mostWords = 64;

/** Returns the words that a program is given for one word of a command line. */
export function expandWord(word: Word, shell: Shell): readonly Argument[] {
  if (!spend(shell, word.end - word.pos)) return [wild];
  const { parts } = word;
  if (parts === undefined) return [exactly(word.value)];
  let variants: readonly (readonly Piece[])[] = [[]];
  for (const part of parts) {
    const choices = part.type === "BraceExpansion" ? expandBraces(part) : undefined;
    const pieces = choices?.map((known) => ({ known, isQuoted: false })) ?? [toPiece(part, shell)];
    if (variants.length * pieces.length > mostWords) return [wild];
    variants = variants.flatMap((variant) => pieces.map((piece) => [...variant, piece]));
  }
  return variants.flatMap(toWords);
}

/** Returns what is known of a word where a shell does not split it: a target, or the value of a variable. */
export function knownTextOf(word: Word, shell: Shell): KnownText {
  if (!spend(shell, word.end - word.pos)) return wild;
  const { parts } = word;
  return parts === undefined ? exactly(word.value) : joinParts(parts, shell);
}

/** Returns what is known of parts that stand one behind the other. */
function joinParts(parts: readonly WordPart[], shell: Shell): KnownText {
  return parts.map((part) => toPiece(part, shell).known).reduce(join, exactly(""));
}

function toPiece(part: WordPart, shell: Shell): Piece {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { known: exactly(part.value), isQuoted: true };
    case "DoubleQuoted":
    case "LocaleString": {
      const isList = part.parts.some(({ text }) => /^\$(?:@|\{[@*]|\{!?\w+\[@\])/.test(text));
      return { known: joinParts(part.parts, shell), isQuoted: !isList };
    }
    case "Glob":
    case "ExtendedGlob":
    case "ArithmeticExpansion":
      return { known: tame, isQuoted: true };
    case "ProcessSubstitution":
      return { known: { text: "/dev/fd/", rest: "tame" }, isQuoted: true };
    case "SimpleExpansion":
      return { known: variableOf(shell, part.text.slice(1)), isQuoted: false };
    case "ParameterExpansion": {
      const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return { known: isPlain ? variableOf(shell, part.parameter) : wild, isQuoted: false };
    }
    case "CommandExpansion":
      return { known: isTameScript(part.script) ? tame : wild, isQuoted: false };
    case "BraceExpansion":
      return { known: wild, isQuoted: false };
  }
}

const tameCommands =
  /^(?:pwd(?: -[LP])?|git merge-base(?: [\w./@^~-]+)*|git rev-parse(?: (?:--(?:show-toplevel|short|abbrev-ref|git-dir|verify)|HEAD))*)$/;

/** Tells whether a substitution gives a path or a commit, as `$(git rev-parse HEAD)`. */
function isTameScript(script: ParsedScript | undefined): boolean {
  const command = script?.commands.length === 1 ? script.commands[0]?.command : undefined;
  if (command?.type !== "Command" || command.name === undefined || command.prefix.length > 0) return false;
  const words = [command.name, ...command.suffix].map((word) => ("text" in word ? word.text : "<"));
  return tameCommands.test(words.join(" "));
}

/** Splits pieces into words as a shell does, at the blanks of what is not quoted. */
function toWords(pieces: readonly Piece[]): readonly Argument[] {
  const words: (Piece | undefined)[] = [undefined];
  for (const piece of pieces.flatMap(splitAtBlanks)) {
    if (piece === "blank") words.push(undefined);
    else words.push(append(words.pop(), piece));
  }
  return words.flatMap((word) => (word === undefined ? [] : [settle(word)]));
}

function splitAtBlanks({ known, isQuoted }: Piece): readonly (Piece | "blank")[] {
  if (isQuoted || !isExact(known)) return [{ known, isQuoted: isQuoted || known.rest !== "wild" }];
  return known.text
    .split(/([ \t\n]+)/)
    .filter((text) => text !== "")
    .map((text) => (text.trim() === "" ? "blank" : { known: exactly(text), isQuoted: true }));
}

function append(word: Piece | undefined, piece: Piece): Piece {
  return word === undefined
    ? piece
    : { known: join(word.known, piece.known), isQuoted: word.isQuoted && piece.isQuoted };
}

/** A quoted word whose beginning is known is no option, unless it begins with a dash. */
function settle({ known, isQuoted }: Piece): Argument {
  if (!isQuoted) return { ...known, rest: "wild" };
  if (known.rest !== "wild") return known;
  return { ...known, rest: known.text === "" || known.text.startsWith("-") ? "word" : "tame" };
}

const plain = /^\{[^\\'"$`<>()*?[\]{}]*\}$/;

/** Returns the texts that braces stand for, or `undefined` where they hold quotes, substitutions or more braces. */
function expandBraces(part: BraceExpansionPart): readonly KnownText[] | undefined {
  if (part.parts !== undefined || !plain.test(part.text)) return undefined;
  const pieces = part.text.slice(1, -1).split(",");
  // `{1..3}` gives numbers or letters.
  return pieces.length === 1 ? [tame] : pieces.map(exactly);
}

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
