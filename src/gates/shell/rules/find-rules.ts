import { type Argument, equals, isDevice, joinWords, mayBeOption, tame, wild } from "../argument.ts";
import { type Classification, nothing, quote, unknown, worst, writes } from "../classification.ts";
import { findOption, findOptions, type ParsedOptions, parseOptions } from "../options.ts";
import { type Call, type Programs, plainly, type Rule } from "../program.ts";
import { judgeName } from "../shell.ts";

const starts = /^-(?:exec|execdir|ok|okdir)$/;
const prints = /^-(?:fprint|fprint0|fprintf|fls)$/;

const find: Rule = (call) => {
  const { args } = call;
  const parts: Classification[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined) break;
    if (starts.test(word.text)) {
      const end = endOfCommand(args, at + 1);
      parts.push(call.runs(args.slice(at + 1, end).map(fillIn)));
      at = end;
    } else parts.push(judgeTest(word, args[at + 1]));
  }
  return worst(plainly("reads", call.name), ...parts);
};

/** Judges a word that starts no program. */
function judgeTest(word: Argument, next: Argument | undefined): Classification {
  if (equals(word, "-delete")) return writes("`find -delete` removes files.");
  // What is found may then begin with a dash.
  if (equals(word, "-files0-from")) return unknown("What `find` searches is not seen here.");
  if (prints.test(word.text) && !isDevice(next))
    return writes(`${quote(`find ${word.text}`)} writes a file.`);
  return mayBeOption(word) ? unknown("What `find` is told is decided only when it runs.") : nothing;
}

/** Returns the place of the `;` or the `{} +` that ends a command. */
function endOfCommand(args: readonly Argument[], start: number): number {
  const end = args.findIndex(
    (word, at) => at >= start && (equals(word, ";") || (equals(word, "+") && equals(args[at - 1], "{}"))),
  );
  return end < 0 ? args.length : end;
}

/** What is found begins as the folder does that is searched, so that it is no option. */
function fillIn(word: Argument): Argument {
  if (equals(word, "{}")) return tame;
  return word.text.includes("{}")
    ? { text: word.text.slice(0, word.text.indexOf("{}")), rest: "tame" }
    : word;
}

const fd: Rule = (call) => {
  const { args } = call;
  const at = args.findIndex(({ text }) => /^(?:-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(text));
  const before = at < 0 ? args : args.slice(0, at);
  // `-xrm` and `--exec=rm` hold the program themselves.
  const isLoose = before.some((word) => mayBeOption(word) || /^(?:-[a-zA-Z]*[xX].|--exec)/.test(word.text));
  const own = plainly(isLoose ? "unknown" : "reads", call.name);
  if (at < 0) return own;
  const end = endOfCommand(args, at + 1);
  const others = args.slice(end + 1);
  return worst(
    own,
    call.runs([...args.slice(at + 1, end).map(fillIn), tame]),
    others.length === 0 ? nothing : fd({ ...call, args: others }),
  );
};

const xargsShape = {
  values: "-adEILnPs --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var",
  attached: "eil",
  endsAtOperand: true,
};

const xargs: Rule = (call) => {
  const parsed = parseOptions(call.args, xargsShape);
  if (parsed.isLoose) return plainly("unknown", call.name);
  const slots = findOptions(parsed, "--process-slot-var").map(({ value }) => judgeName(value?.text ?? ""));
  return worst(...slots, runWords(call, parsed));
};

function runWords(call: Call, parsed: ParsedOptions): Classification {
  const replaced = findOption(parsed, "-I -i --replace");
  const mark = replaced === undefined ? undefined : replaced.value?.text || "{}";
  if (parsed.operands.length === 0) return plainly("reads", "xargs echo");
  if (mark === undefined) return call.runs([...parsed.operands, wild]);
  return call.runs(parsed.operands.map((word) => putIn(word, mark)));
}

function putIn(word: Argument, mark: string): Argument {
  const at = word.text.indexOf(mark);
  if (at < 0) return word;
  return { text: word.text.slice(0, at), rest: at === 0 ? "wild" : "tame" };
}

/** What `parallel` makes of its words is a line for a shell; what stands behind `:::` are the values. */
const parallel: Rule = (call) => {
  const values = "-jaIlLnNPsSC --jobs --joblog --results";
  const { operands } = parseOptions(call.args, { values, endsAtOperand: true });
  const end = operands.findIndex(({ text }) => /^:::/.test(text));
  const words = end < 0 ? operands : operands.slice(0, end);
  const made = unknown("`parallel` makes lines for a shell out of what it reads.");
  return worst(call.script(joinWords(words)), made);
};

/** Programs that run another one for each thing they find or read. */
export const findRules: Programs = { "find gfind": find, "fd fdfind": fd, "xargs gxargs": xargs, parallel };
