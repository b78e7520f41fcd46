import { type Argument, equals, isExact } from "../argument.ts";
import { type Classification, quote, unknown, writes } from "../classification.ts";
import { looks, looksAhead } from "../looking.ts";
import { findOption, type OptionShape, type ParsedOptions, parseOptions } from "../options.ts";
import { type Call, listed, plainly, type Rule, type Rules } from "../rule.ts";
import { pythonModule } from "./python-modules.ts";

interface Interpreter extends OptionShape {
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that make it edit the files it reads. */
  readonly edits?: readonly string[];
  /** Options with which it only tells something, where it is given no file. */
  readonly reads?: readonly string[];
  /** Options with which it only checks a file. */
  readonly checks?: readonly string[];
  /** Options that make it load more. */
  readonly loads?: readonly string[];
}

/** Returns the rule of a program that runs code: what is said in place is looked at, a file is not. */
function interpreting(spec: Interpreter): Rule {
  return (call) => {
    const parsed = parseOptions(call.args, { ...spec, endsAtOperand: true });
    return judgeInterpreter(call, spec, parsed);
  };
}

function judgeInterpreter(call: Call, spec: Interpreter, parsed: ParsedOptions): Classification {
  const { name } = call;
  const edits = findOption(parsed, spec.edits ?? []);
  if (edits !== undefined) return writes(`${quote(`${name} ${edits.name}`)} edits files in place.`);
  const option = findOption(parsed, spec.code);
  // In `node -pe CODE` and the like the code is not the value of the first letter: all words are looked at.
  if (option !== undefined)
    return judgeCode(`${name} ${option.name}`, call.args.map(({ text }) => text).join("\n"));
  if (isLooking(spec, parsed)) return plainly("reads", name);
  const [file] = parsed.operands;
  if (file === undefined || equals(file, "-")) return judgeCode(name, call.stdin.text);
  return unknown(`What the code does that ${quote(name)} runs is not seen here.`);
}

function isLooking(spec: Interpreter, parsed: ParsedOptions): boolean {
  if (parsed.isLoose || findOption(parsed, spec.loads ?? []) !== undefined) return false;
  if (looksAhead(parsed, spec.checks ?? [])) return parsed.options.every(({ name }) => isPlain(spec, name));
  return parsed.operands.length === 0 && looks(parsed, spec.reads ?? []);
}

/** Tells whether an option beside that of a check lets the interpreter note or load nothing. */
const isPlain = ({ checks = [] }: Interpreter, name: string): boolean =>
  checks.includes(name) ||
  /^(?:--no-warnings|--experimental-strip-types|--input-type|--harmony.*|-n)$/.test(name);

/** Judges code by what it names: nothing that it does not name is taken as a promise. */
function judgeCode(what: string, code: string): Classification {
  return isWritingCode(code)
    ? writes(`The code of ${quote(what)} writes files or runs programs.`)
    : unknown(`What the code of ${quote(what)} does is decided only when it runs.`);
}

const python: Rule = (call) => {
  const parsed = parseOptions(call.args, { short: "cmWX", endsAtOperand: true });
  const at = call.args.findIndex(({ text }) => /^-[bBdEhiIOqsSuvx]*m/.test(text));
  // What stands behind the module or the code is for that.
  const isModule = findOption(parsed, ["-m", "-c"])?.name === "-m" && at >= 0;
  // What it reads afterwards is code too.
  if (isModule && findOption(parsed, ["-i"]) !== undefined) return plainly("unknown", call.name);
  if (isModule) {
    const [, attached = ""] = /^-\w*?m(.*)$/s.exec(call.args[at]?.text ?? "") ?? [];
    const rest = call.args.slice(at + 1);
    return pythonModule(call, attached === "" ? rest : [{ text: attached, rest: "nothing" }, ...rest]);
  }
  return judgeInterpreter(call, { code: ["-c"], reads: ["-V", "-h"] }, parsed);
};

const shell: Rule = (call) => {
  const parsed = parseOptions(call.args, {
    short: "oO",
    long: ["--rcfile", "--init-file"],
    endsAtOperand: true,
  });
  // A plus switches an option off again, as `+n` does.
  const isUndone = parsed.operands[0]?.text.startsWith("+") === true;
  if (parsed.isLoose || isUndone || findOption(parsed, ["--rcfile", "--init-file"]) !== undefined)
    return plainly("unknown", call.name);
  const [first] = parsed.operands;
  if (findOption(parsed, ["-c"]) !== undefined)
    return first === undefined ? plainly("unknown", call.name) : call.script(first);
  if (looksAhead(parsed, ["-n"])) return plainly("reads", `${call.name} -n`);
  const readsInput = first === undefined || findOption(parsed, ["-s"]) !== undefined || isInput(first);
  if (!readsInput) return unknown(`What ${quote(first.text)} does is not seen here.`);
  return isExact(call.stdin) || call.stdin.text !== ""
    ? call.script(call.stdin)
    : unknown(`What ${quote(call.name)} is given to run is not seen here.`);
};

const isInput = (file: Argument): boolean => equals(file, "-") || equals(file, "/dev/stdin");

const named = (names: string, rule: Rule): Rules =>
  Object.fromEntries(names.split(" ").map((name) => [name, rule]));

/** Programs that run code in some language. */
export const interpreterRules: Rules = {
  ...named("sh bash dash zsh ksh ash mksh", shell),
  ...listed("unknown", "fish csh tcsh tclsh expect make gmake"),
  ...named("python python2 python3 pypy pypy3", python),
  ...Object.fromEntries([...Array(10).keys()].map((minor) => [`python3.${minor + 6}`, python])),
  ...named("perl", interpreting({ code: ["-e", "-E"], edits: ["-i"], short: "eEI", attached: "ixVFMm" })),
  ...named(
    "ruby",
    interpreting({ code: ["-e"], edits: ["-i"], short: "eCEIr", attached: "iFKx", reads: ["-v"] }),
  ),
  ...named(
    "node nodejs",
    interpreting({
      code: ["-e", "--eval", "-p", "--print", "-pe"],
      short: "erpC",
      long: ["--eval", "--print", "--require", "--import", "--loader", "--conditions"],
      reads: ["-v", "-h"],
      checks: ["-c", "--check"],
      loads: ["-r", "--require", "--import", "--loader", "--experimental-loader"],
    }),
  ),
  ...named(
    "php",
    interpreting({
      code: ["-r", "-B", "-R", "-E"],
      short: "rBREdcfFStz",
      reads: ["-v", "-m", "-i", "-h", "--ini"],
      checks: ["-l"],
      loads: ["-d", "-c", "-z"],
    }),
  ),
  ...named("lua luajit", interpreting({ code: ["-e"], short: "el", reads: ["-v"] })),
  ...named(
    "Rscript R julia elixir groovy osascript swift scala ghc",
    interpreting({ code: ["-e", "-E", "--eval"], short: "eE", long: ["--eval"] }),
  ),
  ...named(
    "pwsh powershell",
    interpreting({
      code: ["-c", "-Command", "-command"],
      long: ["-c", "-Command", "-command"],
      hasOneDash: true,
    }),
  ),
};

/** What code of the usual languages says where it writes files or starts programs. */
const signs: readonly RegExp[] = [
  // Python
  /\bopen\s*\([^)]{0,200},\s*(?:mode\s*=\s*)?[rbuf]{0,2}["'][rbt]*[wax+]/,
  /\.(?:write_text|write_bytes|writelines|unlink|rmdir|mkdir|rename|touch|symlink_to|chmod|to_csv|to_json|savefig)\s*\(/,
  /\bos\.(?:remove|unlink|rename|replace|mkdir|makedirs|rmdir|removedirs|symlink|link|truncate|system|popen|exec\w*|spawn\w*|chmod|chown)\b/,
  /\b(?:shutil|subprocess|tempfile|pty)\.\w+/,
  /\b__import__\s*\(\s*["'](?:os|shutil|subprocess)/,
  // JavaScript
  /\b(?:writeFile|appendFile|unlink|rmdir|mkdir|rename|copyFile|symlink|truncate|chmod|createWriteStream|mkdtemp|outputFile|cp|rm)(?:Sync)?\s*\(/,
  /\bchild_process\b|\b(?:exec|spawn|fork)(?:File)?(?:Sync)?\s*\(/,
  /\b(?:Deno|Bun)\.(?:write\w*|remove\w*|mkdir\w*|rename\w*|run|Command|spawn\w*)\b/,
  // Perl, Ruby, PHP, Lua
  /\bopen\b[^;]{0,200},\s*["']\s*\+?>/,
  /\bopen\b[^;]{0,200}["']\s*[|>]/,
  /\b(?:unlink|rmtree|mkpath|mkdir|rename|system|exec|symlink|truncate|copy|move)\b\s*[({"'$@]/,
  /\bFile\.(?:write|delete|rename|unlink|open\s*\([^)]{0,200},\s*["'][wa])|\bIO\.(?:write|popen)|\bFileUtils\b|\bDir\.(?:mkdir|rmdir|delete)/,
  /\b(?:file_put_contents|fopen\s*\([^)]{0,200},\s*["'][wax]|shell_exec|passthru|proc_open|popen|touch)\b/,
  /\bio\.open\s*\([^)]{0,200},\s*["'][wa]|\bos\.(?:execute|remove|rename|tmpname)\b/,
];

/** More than this of a text is not looked at. */
const mostCode = 100_000;

/** Tells whether code names something by which files are written or programs started. */
function isWritingCode(code: string): boolean {
  const text = code.slice(0, mostCode);
  return signs.some((sign) => sign.test(text));
}
