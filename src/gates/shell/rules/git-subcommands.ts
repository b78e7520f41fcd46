import { equals, joinWords } from "../argument.ts";
import { byOptions, type OptionSpec } from "../by-options.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { quote, unknown, worst } from "../classification.ts";
import { findLooking, looks } from "../looking.ts";
import { findOption, parseOptions } from "../options.ts";
import { always, listed, plainly, type Rule, type Rules } from "../rule.ts";
import { prints, reaching } from "./git-inspections.ts";

const dryRun = (more: Partial<OptionSpec> = {}): Rule =>
  byOptions({
    otherwise: "writes",
    long: ["--pathspec-from-file", "--chmod"],
    reads: ["-n", "--dry-run"],
    ...more,
  });

const push = reaching(
  dryRun({
    short: "o",
    long: ["--repo", "--recurse-submodules", "--receive-pack", "--exec", "--push-option"],
    runs: ["--receive-pack", "--exec"],
  }),
);
const fetch = reaching(
  byOptions({
    otherwise: "writes",
    short: "jo",
    long: [
      "--upload-pack",
      "--jobs",
      "--recurse-submodules",
      "--depth",
      "--shallow-since",
      "--shallow-exclude",
      "--deepen",
      "--submodule-prefix",
      "--recurse-submodules-default",
      "--refmap",
      "--server-option",
      "--negotiation-tip",
      "--filter",
      "--bundle-uri",
    ],
    runs: ["--upload-pack"],
    writes: ["--write-fetch-head", "--write-commit-graph"],
    reads: ["--dry-run"],
  }),
);

const apply: Rule = byOptions({
  otherwise: "writes",
  short: "pC",
  long: ["--directory", "--exclude", "--include", "--whitespace", "--build-fake-ancestor"],
  writes: ["--apply", "--index", "--cached", "--3way", "--reject", "--build-fake-ancestor"],
  reads: ["--check", "--stat", "--numstat", "--summary"],
});

const listShape = {
  short: "u",
  long: [
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
    "--sort",
    "--format",
    "--set-upstream-to",
  ],
};
const listing = ["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"];

/** `git branch` and `git tag` list, unless they are given a name to make or told to change one. */
const listOrMake =
  (changing: readonly string[], more: readonly string[], short = listShape.short): Rule =>
  ({ name, args }) => {
    const parsed = parseOptions(args, { ...listShape, short });
    const change = findOption(parsed, changing);
    if (change !== undefined) return plainly("writes", `${name} ${change.name}`);
    const found = findLooking(parsed, [...listing, ...more]).type;
    if (found !== "acts") return plainly(found === "looks" ? "reads" : "unknown", name);
    return plainly(parsed.operands.length > 0 ? "writes" : "reads", name);
  };

const branch = listOrMake(
  [
    "-d",
    "-D",
    "--delete",
    "-m",
    "-M",
    "--move",
    "-c",
    "-C",
    "--copy",
    "-u",
    "--set-upstream-to",
    "--unset-upstream",
    "--edit-description",
    "-f",
    "--force",
    "-t",
    "--track",
    "--create-reflog",
  ],
  ["--show-current", "-a", "--all", "-r", "--remotes"],
);
const tag = listOrMake(
  ["-d", "--delete", "-a", "--annotate", "-s", "--sign", "-f", "--force", "-m", "-F", "-u"],
  ["-n", "-v", "--verify"],
  "umF",
);

const configShape = {
  short: "ft",
  long: ["--file", "--blob", "--type", "--default", "--comment", "--value", "--url"],
};
const configSets = [
  "--add",
  "--unset",
  "--unset-all",
  "--replace-all",
  "--rename-section",
  "--remove-section",
  "-e",
  "--edit",
];
const configGets = [
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
  "--get-color",
  "--get-colorbool",
  "-l",
  "--list",
];

const config: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, configShape);
  const [first, ...others] = parsed.operands;
  if (findOption(parsed, configSets) !== undefined) return plainly("writes", name);
  if (parsed.isLoose) return plainly("unknown", name);
  if (looks(parsed, configGets)) return plainly("reads", name);
  if (["get", "list"].some((word) => equals(first, word))) return plainly("reads", name);
  const sets = ["set", "unset", "rename-section", "remove-section", "edit"].some((word) =>
    equals(first, word),
  );
  return plainly(sets || others.length > 0 ? "writes" : "reads", name);
};

/** Runs a line in each submodule, with a shell. */
const foreach: Rule = ({ args, script }) =>
  worst(
    script(joinWords(args.filter(({ text }) => !/^--(?:recursive|quiet)$/.test(text)))),
    unknown(`${quote("git submodule foreach")} runs a command in other folders.`),
  );

const part = (
  otherwise: "reads" | "writes",
  bare: "reads" | "writes",
  readers: string,
  more: Rules = {},
  long: readonly string[] = [],
): Rule => bySubcommand({ bare, otherwise, long, subcommands: { ...listed("reads", readers), ...more } });

/** Subcommands of git that change the repository or its work tree, and those that do either. */
export const gitSubcommands: Rules = {
  ...listed(
    "writes",
    `checkout switch restore reset am merge rebase pull clone init cherry-pick revert gc repack pack-refs maintenance
     filter-branch filter-repo update-index update-ref read-tree write-tree commit-tree mktree mktag checkout-index
     unpack-objects unpack-file index-pack fast-import merge-index merge-tree merge-one-file bugreport diagnose
     prune-packed commit-graph multi-pack-index update-server-info replay backfill refs quiltimport p4 svn`,
  ),
  ...listed(
    "unknown",
    "difftool mergetool send-email credential daemon gui citool instaweb web--browse shell hook lfs annex",
  ),
  "merge-file": byOptions({ otherwise: "writes", short: "L", reads: ["-p", "--stdout"] }),
  add: dryRun(),
  stage: dryRun(),
  rm: dryRun(),
  mv: dryRun(),
  clean: byOptions({ otherwise: "writes", short: "e", long: ["--exclude"], reads: ["-n", "--dry-run"] }),
  push,
  fetch,
  prune: dryRun({ long: ["--expire"] }),
  commit: byOptions({
    otherwise: "writes",
    short: "mFCct",
    attached: "uS",
    long: [
      "--message",
      "--file",
      "--author",
      "--date",
      "--fixup",
      "--squash",
      "--reedit-message",
      "--reuse-message",
      "--template",
      "--trailer",
      "--cleanup",
      "--pathspec-from-file",
    ],
    reads: ["--dry-run"],
  }),
  apply,
  branch,
  tag,
  config,
  stash: part("writes", "writes", "", { list: prints(), show: prints() }),
  worktree: part("writes", "reads", "list"),
  remote: reaching(part("writes", "reads", "show get-url")),
  submodule: part("writes", "reads", "status summary", { foreach }),
  notes: part("writes", "reads", "list show get-ref", {}, ["--ref"]),
  reflog: (call) =>
    /^(?:expire|delete|drop|write)$/.test(call.args[0]?.text ?? "")
      ? plainly("writes", call.name)
      : prints()(call),
  // What it shows the commits with may be any subcommand.
  bisect: part("writes", "reads", "log terms help", {
    view: always("unknown"),
    visualize: always("unknown"),
  }),
  bundle: part("writes", "reads", "verify list-heads"),
  "sparse-checkout": part("writes", "reads", "list check-rules"),
  replace: byOptions({
    otherwise: "writes",
    bare: "reads",
    long: ["--format"],
    writes: ["-d", "--delete", "-f", "-e", "--edit", "-g", "--graft", "--convert-graft-file"],
    reads: ["-l", "--list"],
  }),
  rerere: part("writes", "writes", "status diff remaining"),
  "symbolic-ref": byOptions({ otherwise: "reads", short: "m", writes: ["-d", "--delete"], writesFrom: 1 }),
  "hash-object": byOptions({ otherwise: "reads", short: "t", writes: ["-w"] }),
  "pack-objects": byOptions({ otherwise: "writes", reads: ["--stdout"] }),
  "format-patch": byOptions({
    otherwise: "writes",
    short: "ovn",
    reads: ["--stdout"],
    writes: ["-o", "--output-directory", "--output"],
  }),
  "interpret-trailers": byOptions({ otherwise: "reads", writes: ["--in-place"], runs: [] }),
};
