import { type Argument, equals, exactly, isExact, joinWords } from "../argument.ts";
import { type Classification, nothing, quote, unknown, worst } from "../classification.ts";
import { findLooking, findOption, looks, parseOptions } from "../options.ts";
import {
  type Call,
  type Entry,
  judgeCall,
  type Program,
  type Programs,
  plainly,
  type Rule,
  shapeOf,
} from "../program.ts";
import { noteProgram } from "../shell.ts";

const printValues = `--format= --pretty= --since= --until= --author= --grep= --max-count= --date= --diff-filter= --skip=
  --contains= --merged= --no-merged= --sort= --points-at= --exclude= --match= --abbrev= --word-diff-regex=`;

/** A subcommand that prints, unless an option names a file or a program. */
const prints: Program = {
  does: "reads",
  options: `-nSGLOl= ${printValues} --output=! --ext-diff? --textconv? --filters?`,
};
const dryRun: Entry = "writes -n. --pathspec-from-file= --chmod= --dry-run.";

/** In an address, a helper of the name before two colons runs what stands behind them. */
const reaching = { words: [[/::/, "unknown"]] } satisfies Partial<Program>;

/** A subcommand with subcommands of its own, of which these read. */
const changing = (readers: string, more: Partial<Program> = {}): Program => ({
  does: "writes",
  ...more,
  subcommands: { [readers]: "reads", ...more.subcommands },
});

const listing = "-l --list --contains --no-contains --merged --no-merged --points-at";

/** `git branch` and `git tag` list, unless they are given a name to make or told to change one. */
const listOrMake =
  (letters: string, writing: string, reading: string): Rule =>
  ({ name, args }) => {
    const values = `-${letters} --contains --no-contains --merged --no-merged --points-at --sort --format --set-upstream-to`;
    const parsed = parseOptions(args, { values });
    const change = findOption(parsed, writing);
    if (change !== undefined) return plainly("writes", `${name} ${change.name}`);
    const found = findLooking(parsed, `${listing} ${reading}`).type;
    if (found !== "acts") return plainly(found === "looks" ? "reads" : "unknown", name);
    return plainly(parsed.operands.length > 0 ? "writes" : "reads", name);
  };

const configSets = "--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit";
const configGets = "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list";

const config: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: "-ft --file --blob --type --default --comment --value --url" });
  const [first, ...others] = parsed.operands;
  if (findOption(parsed, configSets) !== undefined) return plainly("writes", name);
  if (parsed.isLoose) return plainly("unknown", name);
  if (looks(parsed, configGets) || equals(first, "get") || equals(first, "list"))
    return plainly("reads", name);
  const verb = first !== undefined && isExact(first) ? first.text : "";
  const sets = /^(?:set|unset|rename-section|remove-section|edit)$/.test(verb);
  return plainly(sets || others.length > 0 ? "writes" : "reads", name);
};

/** Runs a line in each submodule, with a shell. */
const foreach: Rule = ({ args, script }) =>
  worst(
    script(joinWords(args.filter(({ text }) => !/^--(?:recursive|quiet)$/.test(text)))),
    unknown("`git submodule foreach` runs a command in other folders."),
  );

const reflog: Rule = (call) =>
  judgeCall(/^(?:expire|delete|drop|write)$/.test(call.args[0]?.text ?? "") ? "writes" : prints, call);

const inspections: Programs = {
  [`log diff show whatchanged shortlog diff-tree diff-index diff-files range-diff blame annotate show-branch cat-file
    rev-list cherry last-modified`]: prints,
  grep: {
    does: "reads",
    options: `-efABCm= ${printValues} --output=! -O? --open-files-in-pager? --ext-grep? --textconv?`,
    attached: "O",
  },
  "ls-remote": {
    does: "reads",
    ...reaching,
    options: `-o= ${printValues} --output=! --upload-pack? --exec?`,
  },
  "request-pull": { ...prints, ...reaching },
  // These options start a browser or a viewer.
  help: "reads -wmi? --web? --man? --info?",
  fsck: { does: "reads", options: `-nSGLOl= ${printValues} --output= --lost-found!` },
  archive: "reads -o=! --output=! --format= --prefix= --remote? --exec?",
  [`status rev-parse ls-files ls-tree describe merge-base name-rev for-each-ref show-ref count-objects check-ignore
    check-attr check-mailmap check-ref-format var version verify-commit verify-tag verify-pack get-tar-commit-id
    patch-id stripspace column fmt-merge-msg show-index`]: "reads",
};

const changes: Programs = {
  [`checkout switch restore reset am merge rebase pull clone init cherry-pick revert gc repack pack-refs maintenance
    filter-branch filter-repo update-index update-ref read-tree write-tree commit-tree mktree mktag checkout-index
    unpack-objects unpack-file index-pack fast-import merge-index merge-tree merge-one-file bugreport diagnose
    prune-packed commit-graph multi-pack-index update-server-info replay backfill refs quiltimport p4 svn`]:
    "writes",
  "difftool mergetool send-email credential daemon gui citool instaweb web--browse shell hook lfs annex":
    "unknown",
  "merge-file": "writes -L= -p. --stdout.",
  "add stage rm mv": dryRun,
  clean: "writes -e= -n. --exclude= --dry-run.",
  push: {
    does: "writes",
    ...reaching,
    options: "-o= --repo= --recurse-submodules= --receive-pack=? --exec=? --push-option= -n. --dry-run.",
  },
  fetch: {
    does: "writes",
    ...reaching,
    options: `-jo= --upload-pack=? --jobs= --recurse-submodules= --depth= --shallow-since= --shallow-exclude= --deepen=
      --submodule-prefix= --recurse-submodules-default= --refmap= --server-option= --negotiation-tip= --filter=
      --bundle-uri= --write-fetch-head! --write-commit-graph! --dry-run.`,
  },
  prune: "writes --expire= -n. --dry-run.",
  commit: {
    does: "writes",
    options: `-mFCct= --message= --file= --author= --date= --fixup= --squash= --reedit-message=
      --reuse-message= --template= --trailer= --cleanup= --pathspec-from-file= --dry-run.`,
    attached: "uS",
  },
  apply: `writes -pC= --directory= --exclude= --include= --whitespace= --build-fake-ancestor=! --apply!
    --index! --cached! --3way! --reject! --check. --stat. --numstat. --summary.`,
  branch: listOrMake(
    "u",
    `-d -D --delete -m -M --move -c -C --copy -u --set-upstream-to --unset-upstream --edit-description -f --force -t
      --track --create-reflog`,
    "--show-current -a --all -r --remotes",
  ),
  tag: listOrMake("umF", "-d --delete -a --annotate -s --sign -f --force -m -F -u", "-n -v --verify"),
  config,
  stash: { does: "writes", bare: "writes", subcommands: { "list show": prints } },
  worktree: changing("list"),
  remote: changing("show get-url", reaching),
  submodule: changing("status summary", { subcommands: { foreach } }),
  notes: changing("list show get-ref", { options: "--ref=" }),
  reflog,
  // The commits may be shown with any subcommand.
  bisect: changing("log terms help", { subcommands: { "view visualize": "unknown" } }),
  bundle: changing("verify list-heads"),
  "sparse-checkout": changing("list check-rules"),
  rerere: changing("status diff remaining", { bare: "writes" }),
  replace: {
    does: "writes",
    bare: "reads",
    options: "-dfeg! -l. --format= --delete! --edit! --graft! --convert-graft-file! --list.",
  },
  "symbolic-ref": { does: "reads", options: "-m= -d! --delete!", writesFrom: 1 },
  "hash-object": "reads -t= -w!",
  "pack-objects": "writes --stdout.",
  "format-patch": "writes -o=! -vn= --output-directory! --output! --stdout.",
  "interpret-trailers": "reads --in-place!",
};

const subcommand: Program = {
  does: "unknown",
  options: `-Cc= --git-dir= --work-tree= --namespace= --super-prefix= --config-env=? --attr-source=
      --exec-path?`,
  subcommands: { ...inspections, ...changes },
};

const git: Rule = (call) => {
  // Alone it only prints where the programs of git are.
  if (call.args.length === 1 && equals(call.args[0], "--exec-path"))
    return judgeCall(subcommand, { ...call, args: [] });
  const parsed = parseOptions(call.args, { ...shapeOf(subcommand), endsAtOperand: true });
  if (parsed.options.length > 0) noteProgram(call.shell, call.name, parsed.operands);
  const settings = parsed.options.filter(({ name }) => name === "-c");
  return worst(...settings.map(({ value }) => judgeSetting(value, call)), judgeCall(subcommand, call));
};

/** Settings that change only how things look, who acts, or switch something off. */
const harmless =
  /^(?:(?:color|advice|user|author|committer|log|status|column|i18n|safe|init|blame|branch|commit|tag|versionsort|rerere|gc|fetch|push|pull|submodule|feature|index|pack|transfer|checkout|clean|apply|format|notes|rebase|stash|grep|maintenance)\.[\w.-]+|http\.(?:sslverify|version|postbuffer|lowspeed\w+|followredirects|useragent|maxrequests|extraheader)|diff\.(?!external)\w+|merge\.(?!tool)\w+|core\.(?:quotepath|abbrev|autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|longpaths|bare|symlinks|untrackedcache|preloadindex|compression|commentchar|whitespace|multipackindex|commitgraph|trustctime|checkstat))(?:=|$)/i;
const switchedOff =
  /^(?:core\.fsmonitor=(?:false|0|)|core\.hookspath=\/dev\/null|core\.(?:pager|editor)=(?:cat|less|more|true|:|)|pager\.\w+=(?:cat|less|false|0|)|credential\.helper=|protocol\.[\w.]+=never|sequence\.editor=(?:true|:))$/i;

function judgeSetting(value: Argument | undefined, { script }: Call): Classification {
  if (value === undefined) return nothing;
  const alias = /^alias\.[^=]*=!(.*)$/is.exec(value.text);
  const inner = alias?.[1] === undefined || !isExact(value) ? nothing : script(exactly(alias[1]));
  if (isExact(value) && (harmless.test(value.text) || switchedOff.test(value.text))) return nothing;
  const key = value.text.split("=", 1)[0] ?? "";
  return worst(inner, unknown(`${quote(`git -c ${key}`)} may make git run another program.`));
}

/** The program `git`, by its subcommands. */
export const gitRules: Programs = { git };
