import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { listPages } from "../../sessions/list-all.ts";
import { recordClient } from "../../sessions/session.ts";
import { findHere, readHere, storeOf, using } from "../../workspace/open-here.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption, sessionHelp } from "../parse-options.ts";
import { type Verifiable, verifySessions } from "../verify-sessions.ts";

export const command = defineCommand({
  details:
    "Recomputes the hash of each entry from the first on and compares, and title, tags and status with what the entries say. Without an id, all sessions of all projects.",
  examples: [
    { line: "carryon verify", does: "Check everything" },
    { line: "carryon verify latest", does: "Check one session, what it shares with its origin included" },
    { line: "carryon verify --json | jq .ok", does: "For a script: true, or false and exit code 74" },
  ],
  define: (command) => command.argument("[id]", sessionHelp).addOption(jsonOption()),
  run: async (context, [id], { json }) => {
    const form = { json: json === true };
    const totals = await (id === undefined
      ? using(await (await storeOf(context)).openForReading(), ({ log }) =>
          verifySessions(context, log, listEverything(log), form),
        )
      : readHere(context, async (here) => {
          const session = await findHere(context, here, id);
          return verifySessions(context, here.store.log, one(session), form);
        }));
    if (totals.bad === 0) return;
    throw new AppError(`${plural(totals.bad, "session")} did not verify.`, {
      kind: "io",
      code: "verification-failed",
      hint: "What comes before the named entry is intact; a backup may have the rest. See `carryon doctor`.",
    });
  },
});

/** Yields what can be verified: a session whose record is damaged is one of them. */
async function* listEverything(log: ConversationLog): AsyncGenerator<Verifiable> {
  for (const query of [{}, { client: recordClient }]) {
    for await (const { sessions, damaged } of listPages(log, query)) {
      yield* sessions;
      for (const id of damaged) yield { id: id as SessionId, entries: 0 };
    }
  }
}

async function* one<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}
