import { type Argument, equals, isExact } from "../argument.ts";
import { type Classification, quote, unknown, writes } from "../classification.ts";
import {
  findOption,
  listWords,
  looks,
  looksAhead,
  type OptionShape,
  type ParsedOptions,
  parseOptions,
} from "../options.ts";
import {
  type Call,
  type Entry,
  indexPrograms,
  judgeCall,
  type Programs,
  plainly,
  type Rule,
} from "../program.ts";

interface Interpreter extends OptionShape {
  /** Options whose value is code. */
  readonly code: string;
  /** Options that make it edit the files it reads. */
  readonly edits?: string;
  /** Options with which it only tells something, where it is given no file. */
  readonly reads?: string;
  /** Options with which it only checks a file. */
  readonly checks?: string;
  /** Options that make it load more. */
  readonly loads?: string;
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
  const edits = findOption(parsed, spec.edits ?? "");
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
  if (parsed.isLoose || findOption(parsed, spec.loads ?? "") !== undefined) return false;
  if (looksAhead(parsed, spec.checks ?? "")) return parsed.options.every(({ name }) => isPlain(spec, name));
  return parsed.operands.length === 0 && looks(parsed, spec.reads ?? "");
}

/** Tells whether an option beside that of a check lets the interpreter note or load nothing. */
const isPlain = ({ checks = "" }: Interpreter, name: string): boolean =>
  listWords(checks).includes(name) ||
  /^(?:--no-warnings|--experimental-strip-types|--input-type|--harmony.*|-n)$/.test(name);

/** Judges code by what it names: nothing that it does not name is taken as a promise. */
function judgeCode(what: string, code: string): Classification {
  return isWritingCode(code)
    ? writes(`The code of ${quote(what)} writes files or runs programs.`)
    : unknown(`What the code of ${quote(what)} does is decided only when it runs.`);
}

const python: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-cmWX", endsAtOperand: true });
  const at = call.args.findIndex(({ text }) => /^-[bBdEhiIOqsSuvx]*m/.test(text));
  // What stands behind the module or the code is for that.
  const isModule = findOption(parsed, "-m -c")?.name === "-m" && at >= 0;
  // What it reads afterwards is code too.
  if (isModule && findOption(parsed, "-i") !== undefined) return plainly("unknown", call.name);
  if (isModule) {
    const [, attached = ""] = /^-\w*?m(.*)$/s.exec(call.args[at]?.text ?? "") ?? [];
    const rest = call.args.slice(at + 1);
    return pythonModule(call, attached === "" ? rest : [{ text: attached, rest: "nothing" }, ...rest]);
  }
  return judgeInterpreter(call, { code: "-c", reads: "-V -h" }, parsed);
};

const shell: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-oO --rcfile --init-file", endsAtOperand: true });
  // A plus switches an option off again, as `+n` does.
  const isUndone = parsed.operands[0]?.text.startsWith("+") === true;
  if (parsed.isLoose || isUndone || findOption(parsed, "--rcfile --init-file") !== undefined)
    return plainly("unknown", call.name);
  const [first] = parsed.operands;
  if (findOption(parsed, "-c") !== undefined)
    return first === undefined ? plainly("unknown", call.name) : call.script(first);
  if (looksAhead(parsed, "-n")) return plainly("reads", `${call.name} -n`);
  const readsInput = first === undefined || findOption(parsed, "-s") !== undefined || isInput(first);
  if (!readsInput) return unknown(`What ${quote(first.text)} does is not seen here.`);
  return isExact(call.stdin) || call.stdin.text !== ""
    ? call.script(call.stdin)
    : unknown(`What ${quote(call.name)} is given to run is not seen here.`);
};

const isInput = (file: Argument): boolean => equals(file, "-") || equals(file, "/dev/stdin");

const archive: Entry = "unknown -ec! -lt. --extract! --create! --list. --test.";
const modules: ReadonlyMap<string, Entry> = indexPrograms({
  "json.tool": { does: "reads", options: "--indent=", writesFrom: 1 },
  "venv virtualenv compileall py_compile ensurepip": "writes",
  "tokenize ast dis calendar this site": "reads",
  "zipfile tarfile": archive,
});

/** Programs that are modules too, as `python -m pip`. */
const moduleNames = /^(?:pip|black|ruff|isort|autopep8|yapf|pytest|mypy|flake8)$/;

/** Judges `python -m MODULE …`. */
function pythonModule(call: Call, [module, ...args]: readonly Argument[]): Classification {
  if (module === undefined || !isExact(module))
    return unknown("Which module runs is decided only when it runs.");
  if (moduleNames.test(module.text)) return call.runs([module, ...args]);
  const name = `${call.name} -m ${module.text}`;
  return judgeCall(modules.get(module.text) ?? "unknown", { ...call, name, args });
}

const minorVersions = [...Array(10).keys()].map((minor) => `python3.${minor + 6}`).join(" ");

/** Programs that run code in some language. */
export const interpreterRules: Programs = {
  "sh bash dash zsh ksh ash mksh": shell,
  [`python python2 python3 pypy pypy3 ${minorVersions}`]: python,
  perl: interpreting({ code: "-e -E", edits: "-i", values: "-eEI", attached: "ixVFMm" }),
  ruby: interpreting({ code: "-e", edits: "-i", values: "-eCEIr", attached: "iFKx", reads: "-v" }),
  "node nodejs": interpreting({
    code: "-e --eval -p --print -pe",
    values: "-erpC --eval --print --require --import --loader --conditions",
    reads: "-v -h",
    checks: "-c --check",
    loads: "-r --require --import --loader --experimental-loader",
  }),
  php: interpreting({
    code: "-r -B -R -E",
    values: "-rBREdcfFStz",
    reads: "-v -m -i -h --ini",
    checks: "-l",
    loads: "-d -c -z",
  }),
  "lua luajit": interpreting({ code: "-e", values: "-el", reads: "-v" }),
  "Rscript R julia elixir groovy osascript scala ghc": interpreting({
    code: "-e -E --eval",
    values: "-eE --eval",
  }),
  "pwsh powershell": interpreting({
    code: "-c -Command -command",
    values: "-c -Command -command",
    hasOneDash: true,
  }),
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
