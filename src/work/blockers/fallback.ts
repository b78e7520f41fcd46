import type { BlockerType, Severity } from "../blocker.ts";
import type { Finding } from "./find-rule.ts";
import type { StepKind } from "./step-kind.ts";

const failures: Readonly<
  Partial<Record<StepKind, { readonly type: BlockerType; readonly severity?: Severity }>>
> = {
  build: { type: "build_error" },
  test: { type: "test_failure" },
  lint: { type: "build_error", severity: "medium" },
  install: { type: "dependency" },
};

/** What a tool says when it was called in a wrong way or place: a slip of the caller, which blocks nothing. */
const slips: readonly RegExp[] = [
  /^(?:\/\S{1,100}\/)?(?:ba|da|z|k)?sh: .{1,300}: (?:No such file or directory|command not found|not found|Permission denied|Not a directory)$/,
  /^(?:\(eval\):|zsh:)?(?:cd:)?(?:\d+:)? ?(?:no such file or directory|command not found): /,
  /^usage: |^Usage: |^(?:\S{1,100}: )?(?:error: )?(?:unknown|unrecognized|unexpected|invalid|illegal) (?:command-line )?(?:option|argument|flag|command)/i,
  /^npm (?:ERR!|error) (?:Missing script|code ENOENT|Unknown command|The `npm ci` command can only install with an existing)|^error (?:Command "|Couldn't find a package\.json)|ERR_PNPM_NO_(?:SCRIPT|IMPORTER)/i,
  /No rule to make target '[^']{1,300}'\. {2}Stop\.|\*\*\* No targets/,
  /^ERROR: (?:file or directory not found|not found): |^(?:=+ )?no tests ran in |^No test(?:s| files) found|^No tests were found/,
  /^error: (?:could not find `Cargo\.toml`|no such (?:sub)?command|unexpected argument|no (?:bin|test|example|bench) target|Unrecognized option|package ID specification)/,
  /^(?:pattern \S{1,300}: |go: )(?:directory prefix |cannot find main module|go\.mod file not found|no packages to|unknown command)|^no Go files in |^flag provided but not defined/,
  /Unknown lifecycle phase|there is no POM in this directory|^Task '.{1,100}' not found in |does not contain a Gradle build/,
  /^CMake Error: The source directory|^Error: (?:could not load cache|not a CMake build directory)|^(?:Error: )?\S{1,300} is not a directory$|^ninja: (?:error: (?:loading 'build\.ninja'|unknown target)|fatal: chdir)/,
  /fatal error: no input files|^[\w+-]{1,60}: (?:fatal )?error: \S{1,300}: No such file or directory$|error: file not found: |unrecognized command-line option/,
  /^(?:mypy: can't read file|Could not find '|Cannot open file "|No files matching)/,
  /error TS(?:5023|5025|6044|6053)/,
];

/** Lines that say why, as far as one can tell without knowing the tool. */
const reason = /\b(?:error|fatal|failed|failure|exception|panic|cannot|could not)\b/i;

/** Returns what a failure of a known kind of command is when no rule knows its words, unless the call was a slip. */
export function fallbackFor(
  kind: StepKind,
  lines: readonly string[],
  exitCode: number | undefined,
): Finding | undefined {
  const failure = failures[kind];
  // Without an exit code the command may never have run: a client reports a refused call as a failure too.
  if (failure === undefined || exitCode === undefined) return undefined;
  if (lines.some((line) => slips.some((slip) => slip.test(line)))) return undefined;
  const line = lines.find((text) => reason.test(text)) ?? lines.findLast((text) => text.trim() !== "");
  const resolution = "Read the output of the command, fix what it names, and run it again.";
  return { rule: { ...failure, tool: kind, resolution }, ...(line === undefined ? {} : { line }) };
}
