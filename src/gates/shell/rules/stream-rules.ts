import { type Argument, exactly, isDevice, isExact, join } from "../argument.ts";
import { type AwkEffect, awkEffects } from "../awk-program.ts";
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
  const found = worst(...awkEffects(program.text).map((effect) => describeAwk(effect, call)));
  if (isExact(program) || found.verdict === "writes") return found;
  return unknown(`What the program of ${quote(call.name)} does is decided only when it runs.`);
}

function describeAwk(effect: AwkEffect, { name, script }: Call): Classification {
  if (effect.type === "writes") return writes(`The program of ${quote(name)} prints to a file.`);
  if (effect.type === "loads") return unknown(`The program of ${quote(name)} loads another.`);
  return effect.command === undefined
    ? unknown(`The program of ${quote(name)} runs commands.`)
    : script(exactly(effect.command));
}

/** Programs with a small language of their own for editing streams. */
export const streamRules: Programs = { "sed gsed": sed, "awk gawk mawk nawk": awk };
