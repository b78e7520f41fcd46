import { byOptions, type OptionSpec } from "../by-options.ts";
import { worst } from "../classification.ts";
import { listed, plainly, type Rule, type Rules } from "../rule.ts";

const long = [
  "--output",
  "--format",
  "--pretty",
  "--since",
  "--until",
  "--author",
  "--grep",
  "--max-count",
  "--date",
  "--diff-filter",
  "--skip",
  "--contains",
  "--merged",
  "--no-merged",
  "--sort",
  "--points-at",
  "--exclude",
  "--match",
  "--abbrev",
  "--word-diff-regex",
];

/** Returns the rule of a subcommand that prints, unless it is told a file or a program. */
export const prints = (more: Partial<OptionSpec> = {}): Rule =>
  byOptions({
    otherwise: "reads",
    short: "nSGLOl",
    long,
    writes: ["--output"],
    runs: ["--ext-diff", "--textconv", "--filters"],
    ...more,
  });

/** A helper of the name before two colons runs what stands behind them. */
export const reaching =
  (rule: Rule): Rule =>
  (call) =>
    call.args.some(({ text }) => text.includes("::"))
      ? worst(rule(call), plainly("unknown", call.name))
      : rule(call);

const named = (names: string, rule: Rule): Rules =>
  Object.fromEntries(names.split(" ").map((name) => [name, rule]));

/** Subcommands of git that look at the repository. */
export const gitInspections: Rules = {
  ...named(
    "log diff show whatchanged shortlog diff-tree diff-index diff-files range-diff blame annotate show-branch cat-file rev-list cherry last-modified",
    prints(),
  ),
  grep: prints({
    short: "efABCm",
    attached: "O",
    runs: ["-O", "--open-files-in-pager", "--ext-grep", "--textconv"],
  }),
  "ls-remote": reaching(prints({ short: "o", runs: ["--upload-pack", "--exec"] })),
  "request-pull": reaching(prints()),
  // They start a browser or a viewer.
  help: byOptions({ otherwise: "reads", runs: ["-w", "--web", "-m", "--man", "-i", "--info"] }),
  fsck: prints({ writes: ["--lost-found"], runs: [] }),
  archive: prints({
    short: "o",
    long: ["--output", "--format", "--prefix"],
    writes: ["-o", "--output"],
    runs: ["--remote", "--exec"],
  }),
  ...listed(
    "reads",
    `status rev-parse ls-files ls-tree describe merge-base name-rev for-each-ref show-ref count-objects
     check-ignore check-attr check-mailmap check-ref-format var version verify-commit verify-tag verify-pack
     get-tar-commit-id patch-id stripspace column fmt-merge-msg show-index`,
  ),
};
