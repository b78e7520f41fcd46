import type { SyntaxNode } from "unbash";
import { isExact, type KnownText, tame, wild } from "./argument.ts";
import { type Classification, nothing, quote, unknown, writes } from "./classification.ts";

/** Variables that name a program or hold a command which something else then runs. */
const commands =
  /^(?:(?:GIT_|MAN|SYSTEMD_|AWS_|GH_|PSQL_|BAT_|DELTA_)?PAGER|(?:GIT_|GIT_SEQUENCE_|FC)?(?:EDITOR|ASKPASS)|VISUAL|BROWSER|SSH_ASKPASS|GIT_EXTERNAL_DIFF|GIT_SSH(?:_COMMAND)?|GIT_PROXY_COMMAND|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|MANROFFOPT)$/;

/** Variables that change which code runs, or what words mean. */
const hooks =
  /^(?:PATH|HOME|XDG_CONFIG_\w+|FZF_.*|IFS|ENV|BASH_ENV|BASH_FUNC.*|BASH_CMDS|BASH_ALIASES|BASHOPTS|ZDOTDIR|FPATH|fpath|SHELLOPTS|PS[0-4]|LD_.*|DYLD_.*|GCONV_PATH|GLIBC_TUNABLES|GIT_(?:CONFIG.*|ALLOW_PROTOCOL|ATTR_SOURCE|EXEC_PATH|TEMPLATE_DIR|DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY)|NODE_OPTIONS|NODE_PATH|npm_config_.*|NPM_CONFIG_.*|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|WARNINGS)|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|PHP(?:RC|_INI_SCAN_DIR)|LUA_(?:INIT|PATH|CPATH).*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|AWKPATH|AWKLIBPATH|RIPGREP_CONFIG_PATH|TAR_OPTIONS|RSYNC_RSH|CURL_HOME|WGETRC|LESS|LESSKEY.*|LESSHISTFILE|LESSEDIT|LESSSECURE\w*|SYSTEMD_LESS|EXECIGNORE|POSIXLY_CORRECT|POSIX_ME_HARDER|SHELL|MORE|LS_OPTIONS|FIND_OPTIONS|GREP_OPTIONS|SSLKEYLOGFILE|HISTFILE|TZDIR)$/;

/** Variables that name a file to write to, unless they only switch something on. */
const traces = /^(?:GIT_TRACE.*|GIT_REDIRECT_.*|BASH_XTRACEFD)$/;

/** Variables of programs that name other programs, files of settings, or further options: known by how they end. */
const families =
  /^(?:\w*(?:PAGER|EDIT(?:OR)?|BROWSER|ASKPASS|VIEWER|COMMAND|_CMD|WRAPPER|SHELL)|\w*(?:OPTIONS|OPTS?|FLAGS|_ARGS|CONF|CONFIG(?:_\w+)?|DEFAULTS|PRELOAD|PATH|HOME|PREFIX|MODULES|ENGINES|PLUGINS?|HISTORY)|(?!SRC$)\w*RC|CC|CXX|CPP|LD|AR)$/;

/** Variables by which some programs are told all they can be told by options, but for those that change nothing. */
const settings =
  /^(?:GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT$|OPTIONAL_LOCKS$|MERGE_AUTOEDIT$|\w+_PATHSPECS$|DISCOVERY_|CEILING_|DIFF_OPTS$|PAGER|NO_|ADVICE$|FLUSH$|TRACE)|(?:PIP|UV|POETRY|YARN|COREPACK|PNPM|BUN|DENO|CARGO|RUSTC|BUNDLE|OPENSSL|ANSIBLE|XZ)_|GO(?:FLAGS|ROOT|ENV|TOOLCHAIN|CACHEPROG|PACKAGESDRIVER|WORK|BIN)$|RUSTC$|NODE_(?!ENV$|NO_WARNINGS$|DISABLE_COLORS$)|MAN(?:OPT|ROFFSEQ)$|GZIP$|BZIP2?$|UNZIP$|ZIPINFO$|MALLOC_TRACE$|VIMINIT$|EXINIT$|DEPENDENCIES_OUTPUT$|SUNPRO_)/;

/** Variables by which Carryon knows that an agent runs it, which session that is, and where its own files are. */
const identity =
  /^(?:CLAUDECODE|CLAUDE_CODE_\w+|CLAUDE_CONFIG_DIR|CLAUDE_SKIP_REQUIREMENTS|CARRYON_\w+|CODEX_\w+|GEMINI_CLI|OPENCODE|CURSOR_AGENT|AGENT)$/;

/** Judges a variable that is taken away or changed: some of them say who runs a command. */
export function judgeIdentity(name: string): Classification {
  return identity.test(name) ? writes(`${quote(name)} says who runs a command.`) : nothing;
}

/** Judges a variable that is set for programs: some of them make a program run another one. */
export function judgeVariable(
  name: string,
  value: KnownText,
  script: (text: KnownText) => Classification,
): Classification {
  const identified = judgeIdentity(name);
  if (identified !== nothing) return identified;
  if (hooks.test(name)) return unknown(`${quote(`${name}=`)} changes what programs run.`);
  if (traces.test(name) && !(isExact(value) && /^(?:[0-9]|true|false|)$/.test(value.text)))
    return unknown(`${quote(`${name}=`)} may name a file to write to.`);
  if (commands.test(name) && script(value).verdict !== "reads")
    return unknown(`${quote(`${name}=`)} names a program that others run.`);
  return nothing;
}

/** Judges a variable that is given a value which is not known. */
export const judgeName = (name: string): Classification => judgeVariable(name, wild, () => nothing);

/** Judges a variable that programs are given for certain: any of their settings may be one. */
export function judgeExported(
  name: string,
  value: KnownText,
  script: (text: KnownText) => Classification,
): Classification {
  const found = judgeVariable(name, value, script);
  if (found !== nothing || commands.test(name) || !(families.test(name) || settings.test(name))) return found;
  return unknown(`${quote(`${name}=`)} may change what programs run.`);
}

/** The definitions of a function that may hold at a place. */
interface ShellFunction {
  readonly bodies: readonly SyntaxNode[];
  /** Whether one of them holds for certain. */
  readonly isCertain: boolean;
}

/** How much may still be looked at: what would take longer is not followed. */
interface Effort {
  left: number;
}

/** What a shell knows at one place of a command line. */
export interface Shell {
  readonly variables: Map<string, KnownText>;
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, string>;
  /** What the commands read, where the line itself says it. */
  readonly stdin: KnownText;
  /** How many commands, scripts and functions are being followed. */
  readonly depth: number;
  readonly effort: Effort;
  /** Whether a part of the line is not waited for. */
  readonly background: { isUsed: boolean };
  /** The programs that the line runs so far, each with its words, as far as they are known. */
  readonly programs: string[];
}

/** Commands inside commands are followed this deep. */
const deepest = 40;
const mostEffort = 1_000_000;

export function newShell(): Shell {
  return {
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    stdin: wild,
    depth: 0,
    effort: { left: mostEffort },
    background: { isUsed: false },
    programs: [],
  };
}

/** What a line runs beyond this is not listed: nobody writes that by hand. */
const mostPrograms = 1000;

/** Notes that a program runs. */
export function noteProgram({ programs }: Shell, name: string, args: readonly KnownText[]): void {
  if (programs.length < mostPrograms) programs.push([name, ...args.map(({ text }) => text)].join(" "));
}

/** What looking at anything costs, and what following something costs, in characters read. */
const costs = { look: 20, follow: 200 };

/** Takes the cost of looking at a text of a length off the effort, and tells whether there was enough of it. */
export function spend(shell: Shell, length: number): boolean {
  shell.effort.left -= length + costs.look;
  return shell.effort.left > 0;
}

/** Tells whether one more command, script or function may be followed. */
export const isTooDeep = (shell: Shell): boolean => shell.depth >= deepest || !spend(shell, costs.follow);

/** Returns a shell with variables and functions of its own that begin as those of another. */
export function fork(shell: Shell, changes: Partial<Shell> = {}): Shell {
  spend(shell, shell.variables.size + shell.functions.size + shell.aliases.size);
  return {
    ...shell,
    variables: new Map(shell.variables),
    functions: new Map(shell.functions),
    aliases: new Map(shell.aliases),
    ...changes,
  };
}

/** Returns a shell that a program starts: it may or may not have been given the variables. */
export function childShell(shell: Shell): Shell {
  const variables = new Map([...shell.variables.keys()].map((name) => [name, wild] as const));
  // A function may have been exported.
  const functions = new Map(
    [...shell.functions].map(([name, each]) => [name, { ...each, isCertain: false }] as const),
  );
  return fork(shell, { variables, functions, aliases: new Map(), depth: shell.depth + 1 });
}

/** Takes over what a part has changed that may or may not have run. */
export function takeOver(shell: Shell, part: Shell): void {
  for (const [name, value] of part.variables)
    if (!isSame(shell.variables.get(name), value)) shell.variables.set(name, wild);
  for (const [name, { bodies }] of part.functions) {
    if (shell.functions.get(name)?.bodies !== bodies) mayDefine(shell, name, bodies);
  }
  for (const [name, text] of part.aliases) shell.aliases.set(name, text);
}

/** Adds definitions of a function that may hold beside those that held before. */
export function mayDefine(shell: Shell, name: string, bodies: readonly SyntaxNode[]): void {
  const known = shell.functions.get(name)?.bodies ?? [];
  shell.functions.set(name, { bodies: [...known, ...bodies], isCertain: false });
}

const isSame = (first: KnownText | undefined, second: KnownText): boolean =>
  first !== undefined && first.text === second.text && first.rest === second.rest;

/** Forgets the value of a variable. */
export function forget(shell: Shell, name: string): void {
  shell.variables.set(name.replace(/\[.*$/s, ""), wild);
}

/** Forgets the values of all variables. */
export function forgetAll(shell: Shell): void {
  for (const name of shell.variables.keys()) shell.variables.set(name, wild);
}

const paths = new Set(["HOME", "PWD", "OLDPWD", "TMPDIR"]);
const names = new Set("USER LOGNAME HOSTNAME RANDOM SECONDS UID EUID LINENO BASHPID PPID".split(" "));

/** Returns what is known of a variable's value. */
export function variableOf(shell: Shell, name: string): KnownText {
  const value = shell.variables.get(name);
  if (value !== undefined) return value;
  if (paths.has(name)) return { text: "/", rest: "tame" };
  return names.has(name) || /^[?$#!]$/.test(name) ? tame : wild;
}
