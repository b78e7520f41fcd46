import { type Argument, equals, exactly, isExact } from "../argument.ts";
import { bySubcommand } from "../by-subcommand.ts";
import { type Classification, nothing, quote, unknown, worst } from "../classification.ts";
import { parseOptions } from "../options.ts";
import type { Call, Rule, Rules } from "../rule.ts";
import { noteProgram } from "../shell.ts";
import { gitInspections } from "./git-inspections.ts";
import { gitSubcommands } from "./git-subcommands.ts";

const shape = {
  short: "Cc",
  long: ["--git-dir", "--work-tree", "--namespace", "--super-prefix", "--config-env", "--attr-source"],
};

const subcommand = bySubcommand({
  ...shape,
  bare: "reads",
  otherwise: "unknown",
  runs: ["--config-env", "--exec-path"],
  subcommands: { ...gitInspections, ...gitSubcommands },
});

const git: Rule = (call) => {
  // Alone it only prints where the programs of git are.
  if (call.args.length === 1 && equals(call.args[0], "--exec-path")) return subcommand({ ...call, args: [] });
  const parsed = parseOptions(call.args, { ...shape, endsAtOperand: true });
  if (parsed.options.length > 0) noteProgram(call.shell, call.name, parsed.operands);
  const settings = parsed.options
    .filter(({ name }) => name === "-c")
    .map(({ value }) => judgeSetting(value, call));
  return worst(...settings, subcommand(call));
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
export const gitRules: Rules = { git };
