import { type Argument, exactly, isDevice, isExact, join } from "../argument.ts";
import { type AwkEffect, awkEffects } from "../awk-program.ts";
import { type Classification, nothing, quote, reads, unknown, worst, writes } from "../classification.ts";
import { looks } from "../looking.ts";
import { findOption, parseOptions } from "../options.ts";
import { type Call, plainly, type Rule, type Rules } from "../rule.ts";
import { type SedEffect, sedEffects } from "../sed-script.ts";

const sed: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, {
    short: "efl",
    attached: "i",
    long: ["--expression", "--file", "--line-length"],
  });
  const inPlace = findOption(parsed, ["-i", "--in-place"]);
  if (inPlace !== undefined) return writes(`${quote(`${name} -i`)} edits files in place.`);
  if (parsed.isLoose) return plainly("unknown", name);
  if (looks(parsed, ["--sandbox"])) return plainly("reads", name);
  if (findOption(parsed, ["-f", "--file"]) !== undefined)
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
  switch (effect.type) {
    case "writes":
      return isDevice(exactly(effect.file)) ? nothing : writes("The script of `sed` writes a file.");
    case "runs":
      return unknown("The script of `sed` runs commands.");
    case "lost":
      return unknown("The script of `sed` is not understood.");
  }
}

const awk: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    short: "FvfielmEW",
    attached: "odpD",
    long: ["--field-separator", "--assign", "--file", "--include", "--source", "--exec", "--load"],
    endsAtOperand: true,
  });
  const isInPlace = parsed.options.some(({ value }) => value !== undefined && /^inplace\b/.test(value.text));
  if (isInPlace) return writes(`${quote(`${call.name} -i inplace`)} edits files in place.`);
  const prints = findOption(parsed, ["-o", "-d", "-p", "--pretty-print", "--dump-variables", "--profile"]);
  if (prints !== undefined) return writes(`${quote(`${call.name} ${prints.name}`)} writes a file.`);
  const loads = findOption(parsed, [
    "-f",
    "--file",
    "-i",
    "--include",
    "-l",
    "--load",
    "-E",
    "--exec",
    "-W",
    "-D",
    "--debug",
  ]);
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
  switch (effect.type) {
    case "writes":
      return writes(`The program of ${quote(name)} prints to a file.`);
    case "runs":
      return effect.command === undefined
        ? unknown(`The program of ${quote(name)} runs commands.`)
        : script(exactly(effect.command));
    case "loads":
      return unknown(`The program of ${quote(name)} loads another.`);
  }
}

/** Programs with a small language of their own for editing streams. */
export const streamRules: Rules = { sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk };
