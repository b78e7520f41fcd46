import { dirname } from "node:path";
import type { Option } from "@commander-js/extra-typings";
import { type AppError, ioError, usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { ExchangeChoice, ExchangedHere, pushHere } from "../../share/exchange-here.ts";
import { isMissing } from "../../share/meet-store.ts";
import { isStoreName } from "../../share/open-other-store.ts";
import type { StoreSite } from "../../storage/store-site.ts";
import type { ProjectChoice } from "../../workspace/choose-project.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import {
  allOption,
  type CliCommand,
  defineCommand,
  type Example,
  jsonOption,
  projectOption,
} from "../define-command.ts";
import { openProgress } from "../progress.ts";
import { renderBar } from "../render-bar.ts";
import { sayDeletions } from "./name-deletions.ts";
import { renderExchange, renderRemarks, toExchangeJson } from "./render-exchange.ts";

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
        indexing: (done, total) => progress.show(`Indexing: ${done} of ${total} entries`),
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
  throw ioError("not-exchanged", `${plural(failed.length, "session")} could not be brought.`, {
    hint: "`carryon verify` says what is wrong with a session; everything else was brought.",
  });
}

/** Throws unless a folder has a store, or somebody agrees to a new one there: a mistyped name must not make one. */
async function confirmNewStore(
  { isTerminal, confirm }: CommandContext,
  choice: ShareChoice,
  site: StoreSite,
): Promise<void> {
  if (choice.create || !(await isMissing(site))) return;
  const folder = toPrintableLine(dirname(site.path));
  const isAsked = isTerminal.input && isTerminal.error;
  if (isAsked && (await confirm(`There is no store in ${folder} yet. Make a new one there?`))) return;
  throw usageError("new-store", `There is no store at ${site.path} yet. Nothing was pushed.`, {
    hint: `To make one there, run \`${renderCommand(choice)}\`. A server is named as postgres://user@host/database.`,
  });
}

function renderCommand({ store, ids, project, all, json }: ShareChoice): string {
  const words = [
    ...["carryon", "push", store ?? "", ...ids],
    ...(project === undefined ? [] : ["--project", project]),
    ...(all ? ["--all"] : []),
    ...(json ? ["--json"] : []),
    "--create",
  ];
  return words.map(renderShellWord).join(" ");
}

/** What is exchanged, and how it is told. */
interface ShareChoice extends ExchangeChoice {
  /** Whether a store may be made in a folder that has none. */
  readonly create?: true | undefined;
  readonly json?: true | undefined;
}

/** Reads the words after `push` and `pull`: a store comes first, if it is given; sessions follow. */
function readShareChoice(
  words: readonly string[],
  options: ProjectChoice & Pick<ShareChoice, "create" | "json">,
): ShareChoice {
  const [first = "", ...rest] = words;
  const hasStore = isStoreName(first);
  const ids = hasStore ? rest : words;
  if (ids.some(isStoreName)) throw badShare("A store comes first, and there is one.");
  if (ids.length > 0 && (options.all || options.project !== undefined))
    throw badShare("Name sessions, or a project.");
  return { ...options, store: hasStore ? first : undefined, ids };
}

function badShare(message: string): AppError {
  return usageError("bad-share", message, {
    hint: "Write `carryon push STORE ID…`, or `carryon push STORE --project NAME`.",
  });
}
