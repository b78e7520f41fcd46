import type { Option } from "@commander-js/extra-typings";
import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import type { ExchangedHere, pushHere } from "../../share/exchange-here.ts";
import type { CommandContext } from "../command-context.ts";
import { type CliCommand, defineCommand, type Example } from "../define-command.ts";
import { allOption, jsonOption, projectOption } from "../parse-options.ts";
import { openProgress } from "../progress.ts";
import { renderBar } from "../render-bar.ts";
import { renderJson } from "../render-json.ts";
import { confirmNewStore } from "./confirm-new-store.ts";
import { sayDeletions } from "./name-deletions.ts";
import { renderExchange, renderRemarks, toExchangeJson } from "./render-exchange.ts";
import { readShareChoice, type ShareChoice } from "./share-choice.ts";

/** What `push` and `pull` do not have in common. */
interface ShareCommand {
  readonly details: string;
  readonly examples: readonly Example[];
  readonly verb: "Pushed to" | "Pulled from";
  /** Options that only one of them has. */
  readonly options?: readonly Option[];
  readonly exchange: typeof pushHere;
}

/** Makes a command that exchanges sessions with another store. */
export function defineShareCommand({
  details,
  examples,
  verb,
  options: own = [],
  exchange,
}: ShareCommand): CliCommand {
  return defineCommand({
    details: `${details} STORE is postgres://user@host/database or the home folder of another store; without it, the \`remote\` of config.yaml.`,
    examples,
    define: (command) => {
      for (const option of own) command.addOption(option);
      return command
        .argument(
          "[store-and-ids...]",
          "A store, if it is not the configured one; then sessions, if not all of this project",
        )
        .addOption(projectOption())
        .addOption(allOption())
        .addOption(jsonOption());
    },
    run: async (context, [words], options) => {
      const choice = readShareChoice(words, options);
      const progress = openProgress(context);
      const exchanged = await exchange(context, choice, {
        confirmStore: (site) => confirmNewStore(context, choice, site),
        progress: (done, total) => progress.show(renderBar(done, total, "sessions")),
      }).finally(() => progress.clear());
      await sayExchange(context, verb, choice, exchanged);
    },
  });
}

/** Says what was brought; one that could not be fails the command, after all others were brought. */
async function sayExchange(
  context: CommandContext,
  verb: ShareCommand["verb"],
  { json }: ShareChoice,
  { store, report, deletions }: ExchangedHere,
): Promise<void> {
  context.out(
    json ? `${renderJson({ store, ...toExchangeJson(report) })}\n` : renderExchange(verb, store, report),
  );
  if (!json) {
    context.err(renderRemarks(verb, report));
    await sayDeletions(context, deletions);
  }
  const failed = report.changes.filter(({ type }) => type === "failed");
  if (failed.length === 0) return;
  throw new AppError(`${plural(failed.length, "session")} could not be brought.`, {
    kind: "io",
    code: "not-exchanged",
    hint: "`carryon verify` says what is wrong with a session; everything else was brought.",
  });
}
