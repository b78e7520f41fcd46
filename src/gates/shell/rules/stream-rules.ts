import { type Argument, exactly, isDevice, isExact, join } from "../argument.ts";
import { type Classification, nothing, quote, reads, unknown, worst, writes } from "../classification.ts";
import { findOption, looks, parseOptions } from "../options.ts";
import { type Call, type Programs, plainly, type Rule } from "../program.ts";
import { type SedEffect, sedEffects } from "../sed-script.ts";

const sed: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: "-efl --expression --file --line-length", attached: "i" });
  if (findOption(parsed, "-i --in-place") !== undefined)
    return writes(`${quote(`${name} -i`)} edits files in place.`);
  if (parsed.isLoose) return plainly("unknown", name);
  if (looks(parsed, "--sandbox")) return plainly("reads", name);
  if (findOption(parsed, "-f --file") !== undefined)
    return unknown("What the script of `sed -f` does is not seen here.");
  const given = parsed.options.filter((option) => option.name === "-e" || option.name.startsWith("--e"));
  const scripts = given.length > 0 ? given.map(({ value }) => value) : parsed.operands.slice(0, 1);
  const lines = scripts.flatMap((script) => script ?? []);
  return worst(reads("`sed` only prints."), judgeSed(joinLines(lines)));
};

/** Scripts of several options are one script to it, a line each. */
const joinLines = (lines: readonly Argument[]): Argument =>
  lines.reduce((text, line, at) => join(text, at === 0 ? line : join(exactly("\n"), line)), exactly(""));

function judgeSed(script: Argument): Classification {
  const found = worst(...sedEffects(script.text).map(describeSed));
  if (isExact(script) || found.verdict === "writes") return found;
  return unknown("What the script of `sed` does is decided only when it runs.");
}

function describeSed(effect: SedEffect): Classification {
  if (effect.type === "runs") return unknown("The script of `sed` runs commands.");
  if (effect.type === "lost") return unknown("The script of `sed` is not understood.");
  return isDevice(exactly(effect.file)) ? nothing : writes("The script of `sed` writes a file.");
}

const awk: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    values: "-FvfielmEW --field-separator --assign --file --include --source --exec --load",
    attached: "odpD",
    endsAtOperand: true,
  });
  const isInPlace = parsed.options.some(({ value }) => value !== undefined && /^inplace\b/.test(value.text));
  if (isInPlace) return writes(`${quote(`${call.name} -i inplace`)} edits files in place.`);
  const prints = findOption(parsed, "-o -d -p --pretty-print --dump-variables --profile");
  if (prints !== undefined) return writes(`${quote(`${call.name} ${prints.name}`)} writes a file.`);
  const loads = findOption(parsed, "-f --file -i --include -l --load -E --exec -W -D --debug");
  if (loads !== undefined || parsed.isLoose) return plainly("unknown", call.name);
  const given = parsed.options.filter((option) => option.name === "-e" || option.name === "--source");
  const programs = given.length > 0 ? given.map(({ value }) => value) : parsed.operands.slice(0, 1);
  return worst(
    reads(`${quote(call.name)} only prints.`),
    ...programs.map((program) => judgeAwk(program, call)),
  );
};

function judgeAwk(program: Argument | undefined, call: Call): Classification {
  if (program === undefined) return nothing;
  const found = judgeAwkText(program.text, call);
  if (isExact(program) || found.verdict === "writes") return found;
  return unknown(`What the program of ${quote(call.name)} does is decided only when it runs.`);
}

/** Longer programs are not looked at. */
const longest = 10_000;

/** Texts, comments and patterns; a slash behind a value divides. */
const opaque =
  /"(?:[^"\\\n]|\\.)*"|#[^\n]*|(?<![\w)\]$"][ \t\r]*)\/(?:[^/\\\n[]|\\.|\[\^?\]?(?:[^\]\\\n]|\\.)*\])*\//g;
/** A print up to its end, and the sign of direction in it, with what stands behind. */
const print = /\bprintf?\b[^;}\n]*/g;
const directed = /(>>|>|\|)(.*)/s;
const device = /^\/dev\/(?:stdout|stderr|null|tty)$/;

/** What stands in brackets is computed before it is printed. */
function withoutGroups(text: string): string {
  let rest = text.replaceAll("||", " ");
  for (let depth = 0; depth < 50 && /[([]/.test(rest); depth += 1)
    rest = rest.replace(/\([^()]*\)|\[[^[\]]*\]/g, " ");
  return rest;
}

/** Judges a program of awk by where it prints to and what it runs; each text in it is known by its number. */
function judgeAwkText(program: string, { name, script }: Call): Classification {
  const text = program.replace(/\\\r?\n/g, " ");
  // Behind these a slash may divide or begin a pattern.
  if (text.length > longest || /(?:\+\+|--)\s*\//.test(text))
    return unknown(`The program of ${quote(name)} is not understood.`);
  const texts: string[] = [];
  const bare = text.replace(opaque, (found) => (found.startsWith('"') ? `"${texts.push(found)}"` : " "));
  const textOf = (number: string | undefined): string | undefined => {
    const found = texts[Number(number) - 1]?.slice(1, -1);
    return found?.includes("\\") === true ? undefined : found;
  };
  const run = (number: string | undefined): Classification => {
    const command = textOf(number);
    return command === undefined
      ? unknown(`The program of ${quote(name)} runs commands.`)
      : script(exactly(command));
  };
  const prints = (bare.match(print) ?? []).map((each) => {
    const [, sign, rest = ""] = directed.exec(withoutGroups(each)) ?? [];
    const [, number] = /^\s*"(\d+)"\s*$/.exec(rest) ?? [];
    if (sign === undefined || (sign !== "|" && device.test(textOf(number) ?? ""))) return nothing;
    return sign === "|" ? run(number) : writes(`The program of ${quote(name)} prints to a file.`);
  });
  const read = [...bare.matchAll(/(?:(?:^|[({;}!&|\n])\s*"(\d+)"\s*|[^|])\|\s*getline/g)].map(([, number]) =>
    run(number),
  );
  const called = [...bare.matchAll(/\bsystem\s*\(\s*(?:"(\d+)"\s*\))?/g)].map(([, number]) => run(number));
  const loads = /@\w|\|&/.test(bare) ? [unknown(`The program of ${quote(name)} loads or runs another.`)] : [];
  return worst(...prints, ...read, ...called, ...loads);
}

/** Programs with a small language of their own for editing streams. */
export const streamRules: Programs = { "sed gsed": sed, "awk gawk mawk nawk": awk };
