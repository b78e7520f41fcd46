import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/app-error.ts";
import type { CommandEnd } from "../../lib/run-command.ts";
import { truncate, wrap } from "../../lib/terminal-text.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { openScratch, type Scratch } from "../tour/scratch.ts";
import { answers, type Step, screens } from "../tour/screens.ts";
import { openScriptedModel } from "../tour/scripted-model.ts";

export const command = defineCommand({
  details:
    "Works in a scratch folder with a store of its own: nothing of yours is read or changed, and the folder is\n" +
    "removed at the end.",
  examples: [
    { line: "carryon tour", does: "See six things that Carryon does" },
    { line: "carryon tour --keep", does: "Keep the scratch folder to look around in" },
  ],
  define: (command) => command.option("--keep", "Keep the scratch folder"),
  run: async (context, _args, { keep }) => {
    const model = await openScriptedModel(answers);
    try {
      const scratch = await openScratch(context, model.url);
      try {
        await runTour(context, scratch);
        if (keep) context.out(`\nThe scratch folder is kept: ${scratch.folder}\n`);
      } finally {
        if (!keep) await scratch.remove();
      }
    } finally {
      await model[Symbol.asyncDispose]();
    }
  },
});

/** How long a screen stays on a terminal before the next one. */
const pauseMs = 3000;

/** Longer output is cut, unless a step says otherwise. */
const usualLines = 10;

const next = `
Now in your own repository (in a checkout, run npm link first):
  carryon init      # record Claude Code here from now on
  carryon resume    # choose a session and continue it where it stopped
  carryon --help    # fork, merge, share, export, chat and everything else
`;

/** Runs the command lines of every screen and shows their output; throws if one does not do what it should. */
async function runTour(context: CommandContext, scratch: Scratch): Promise<void> {
  const { out, style, isTerminal, columns } = context;
  const width = Math.min(columns ?? 80, 100) - 1;
  const signal = context.catchSignals();
  const run = async (step: Step) => {
    const end = await scratch.run(step.line, signal);
    signal.throwIfAborted();
    return check(step, end);
  };

  for (const [index, { why, before, steps }] of screens.entries()) {
    if (index > 0 && isTerminal.output) {
      await sleep(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    out(`\n${style.bold(wrap(`${index + 1}. ${why}`, width))}\n`);
    if (before !== undefined) await run({ line: before });
    for (const step of steps) {
      out(`${style.dim("$")} ${style.cyan(step.line)}\n`);
      out(renderOutput(step, (await run(step)).replaceAll(scratch.folder, "~"), width));
    }
  }
  out(next);
}

/** The exit code of a shell whose command was killed with SIGKILL. */
const killedCode = 137;

/** Returns the output of a step, if it did what it should. */
function check({ line, dies, expected = /^/ }: Step, end: CommandEnd): string {
  const output = end.type === "not-started" ? end.reason : end.output;
  const code = end.type === "exited" ? end.code : end.type;
  const isAsMeant = dies ? code === "killed" || code === killedCode : code === 0;
  if (isAsMeant && expected.test(output)) return code === "killed" ? `${output}Killed\n` : output;
  throw new AppError(`The tour found a fault in Carryon: \`${line}\` ended with ${code}:\n${output}`, {
    kind: "internal",
    code: "tour-failed",
    hint: "Please report it, with the output of `carryon doctor`.",
  });
}

/** Cuts the output of a step to the lines that matter. */
function renderOutput({ from, isTable, most = usualLines }: Step, output: string, width: number): string {
  const all = output.trimEnd().split("\n");
  const start = from === undefined ? 0 : all.findIndex((line) => from.test(line));
  const lines = all
    .slice(Math.max(0, start))
    .flatMap((line) => (isTable ? truncate(line, width) : wrap(line, width)).split("\n"));
  const shown = lines.length > most ? [...lines.slice(0, most), "…"] : lines;
  return `${shown.join("\n")}\n`;
}
