/** What runners are asked for by name. */
const called = "(?:sub)?command|script|task|target|recipe|goal|phase|step|stage|job|session|environment";
/** How they say that they have nothing of the name. */
const absent =
  /\b(?:no (?:such|rule|\w+ named)|not (?:found|a|a valid|defined|declared)|unknown|missing|undefined|never defined|do(?:es)?(?:n't| not) (?:exist|contain|know)|could(?:n't| not) find|can(?:not|'t) find)\b/i;
const mentionsCalled = new RegExp(`\\b(?:${called})s?\\b`, "i");
/** Names stand in quotes, behind a colon, or behind what they are the name of. */
const nameIn = new RegExp(`(?:["'\`„“«]|:[ :]|\\b(?:${called}) )([\\w@/:.+-]*[\\w+-])`, "gi");
/** In any language: \`make\` tells of a recipe that failed in brackets, and of what needs a missing file beside its name. */
const ofMake = /^g?make: \*\*\* (?!\[)[^"'`„“”«»]*["'`„“«][^"'`„“”«»]+["'`“”»][^"'`„“”«»]*$/;

/** Tells whether a line says that a runner does not know one of the names that it was called with. */
export function isUnknownName(line: string, asked: readonly string[]): boolean {
  if (line.length > 400 || !(ofMake.test(line) || (absent.test(line) && mentionsCalled.test(line))))
    return false;
  const named = [...line.matchAll(nameIn)].map(([, name = ""]) => name);
  return asked.some((word) => named.includes(word) || named.includes(word.replace(/^.*:/, "")));
}

/** Tells whether a tool says that it was called in a wrong way or place: a mistake of the caller, not of the code. */
export function isUsageError(line: string, asked: readonly string[]): boolean {
  return usageErrors.some((pattern) => pattern.test(line)) || isUnknownName(line, asked);
}

const usageErrors: readonly RegExp[] = [
  /^(?:\/\S{1,100}\/)?(?:ba|da|z|k)?sh: .{1,300}: (?:No such file or directory|Permission denied|Not a directory)$/,
  /^(?:\(eval\):|zsh:)?(?:cd:)?(?:\d+:)? ?no such file or directory: /,
  /^usage: |^Usage: |^(?:\S{1,100}: )?(?:error: )?(?:unknown|unrecognized|unexpected|invalid|illegal) (?:command-line )?(?:option|argument|flag|command)/i,
  /^npm (?:ERR!|error) (?:code ENOENT|The `npm ci` command can only install with an existing)|^error (?:Command "|Couldn't find a package\.json)|ERR_PNPM_NO_IMPORTER|\*\*\* No targets/i,
  /^ERROR: (?:file or directory not found|not found): |^(?:=+ )?no tests ran in |^No test(?:s| files) found|^No tests were found|^Error: No test files found/,
  /^Could not find '.{1,300}'$|^ {0,8}(?:# )?Error: Cannot find module '\/.{1,300}\/(?:tests?|spec|__tests__)\/?'$/,
  /^error: (?:could not find `Cargo\.toml`|unexpected argument|no (?:bin|test|example|bench) target|Unrecognized option|package ID specification)/,
  /^(?:pattern \S{1,300}: |go: )(?:directory prefix |cannot find main module|go\.mod file not found|no packages to|unknown command)|^no Go files in |^flag provided but not defined|^FAIL\tcommand-line-arguments \[build failed\]$|^directory \S{1,300} outside main module/,
  /there is no POM in this directory|does not contain a Gradle build/,
  /^CMake Error: The source directory|^Error: (?:could not load cache|not a CMake build directory)|^(?:Error: )?\S{1,300} is not a directory$|^ninja: (?:error: (?:loading 'build\.ninja'|unknown target)|fatal: chdir)/,
  /fatal error: no input files|^[\w+-]{1,60}: (?:fatal )?error: \S{1,300}: No such file or directory$|error: file not found: |unrecognized command-line option/,
  /^(?:mypy: can't read file|Cannot open file "|No files matching)/,
  /error TS(?:50\d\d|6044|6053)/,
  /^\*\* \(Mix\) (?:Could not find a Mix\.Project|Paths given to "mix test")/,
];

/** How a shell or runner says that a program is missing; the group is its name. */
export const missingTools: readonly RegExp[] = [
  /^(?:\/\S{1,100}\/)?(?:ba|da|z|k)?sh: (?:line )?(?:\d+: )?(\S{1,100}): (?:command )?not found$/,
  /^(?:zsh|\(eval\)):(?:\d+: )?command not found: (\S{1,100})$/,
  /^\S{0,200}python[\d.]{0,6}: No module named '?([\w.]{1,100})'?$/,
  /^(?:Error: |npm (?:ERR!|error) )?(?:spawn|could not determine executable to run for) (\S{1,100})(?: ENOENT)?$/i,
  /^Error(?: \[ERR_MODULE_NOT_FOUND\])?: Cannot find (?:module|package) '((?:@[\w.-]{1,80}\/)?[\w.-]{1,100})'/,
  /^g?make(?:\[\d+\])?: (\S{1,100}): No such file or directory$/,
];
