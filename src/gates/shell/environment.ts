import { isExact, type KnownText, wild } from "./argument.ts";
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
