import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import type { ExchangedHere } from "./exchange-here.ts";
import { sayDeletions } from "./name-deletions.ts";
import { renderExchange, renderRemarks, toExchangeJson } from "./render-exchange.ts";
import type { ShareChoice } from "./share-choice.ts";

/** Says what was brought; one that could not be fails the command, after all others were brought. */
export async function sayExchange(
  context: CommandContext,
  verb: "Pushed to" | "Pulled from",
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
