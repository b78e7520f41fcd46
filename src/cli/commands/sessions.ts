import { Argument, Option } from "@commander-js/extra-typings";
import type { SessionPage } from "../../conversation/conversation-log.ts";
import { parseDuration } from "../../lib/duration.ts";
import { locateRoot } from "../../project/locate-root.ts";
import { chooseProject } from "../choose-project.ts";
import { defineCommand } from "../define-command.ts";
import { isNoStore, readHere } from "../open-here.ts";
import { allOption, clientOption, jsonOption, parseCount, projectOption } from "../parse-options.ts";
import { printSessions } from "../print-sessions.ts";
import { isSetUp } from "../read-status.ts";
import { indexHere } from "../search/index-here.ts";
import { listSaid } from "../search/list-said.ts";
import { readTableIds, type ShortId } from "../short-ids.ts";
import { catchUp } from "../sync/catch-up.ts";
import { takeOverSession } from "../take-over-session.ts";

/** A page, and how its ids are printed. */
type ShownPage = SessionPage & { readonly shortId: ShortId };

const emptyPage: ShownPage = { sessions: [], damaged: [], next: null, shortId: (id) => id };

export const command = defineCommand({
  details:
    "A session is open while its client runs, interrupted when it was cut off in the middle of something, else ended. " +
    "The beginning of an id is enough wherever a command takes one; in a pipe, ids are whole and nothing is cut.",
  examples: [
    { line: "carryon sessions", does: "The sessions of this project, newest first" },
    { line: "carryon sessions --all --since 7d", does: "A week of all projects" },
    { line: "carryon sessions --grep 'login bug'", does: "Those in which both words stand in one entry" },
    { line: "carryon sessions --json | jq -r '.sessions[].id'", does: "Their ids, for a script" },
  ],
  define: (command) =>
    command
      .addArgument(new Argument("[list]", "May be left out").choices(["list"]))
      .addOption(clientOption())
      .addOption(projectOption())
      .addOption(allOption())
      .option("--branch <name>", "Only sessions that began on this branch")
      .option("--tag <tag>", "Only sessions with this tag")
      .option("--since <age>", "Only sessions that changed in this time, such as 12h or 7d", parseDuration)
      .addOption(
        new Option("--grep <query>", "Only sessions in which `carryon search` finds something").conflicts(
          "cursor",
        ),
      )
      .option("--limit <n>", "At most this many", parseCount, 50)
      .option("--cursor <cursor>", "Go on where the list before ended: its `next`")
      .addOption(
        new Option("--take-over <id>", "Free a session from the process that writes it").conflicts([
          ...["client", "project", "all", "branch", "tag", "since", "grep", "cursor"],
        ]),
      )
      .addOption(jsonOption()),
  run: async (context, _args, { project, all, since, json, takeOver, grep, ...query }) => {
    if (takeOver !== undefined) return takeOverSession(context, takeOver, { json: json === true });
    await catchUp(context);
    const now = context.clock.now();
    const updatedAfter = since === undefined ? {} : { updatedAfter: new Date(now.getTime() - since) };
    const page = await readHere(context, async (here): Promise<ShownPage> => {
      const scope = await chooseProject(here, { project, all });
      if (scope === "nothing") return emptyPage;
      const wanted = { ...query, ...scope, ...updatedAfter, now };
      if (grep !== undefined) await indexHere(context, here.store);
      const found = await (grep === undefined
        ? here.store.log.list(wanted)
        : listSaid(here.store, grep, wanted));
      return { ...found, shortId: await readTableIds(context, here.store.log, found.sessions) };
    }).catch((error: unknown) => {
      if (isNoStore(error)) return emptyPage;
      throw error;
    });
    const isHere = page.sessions.length === 0 && (await isSetUp(context, await locateRoot(context.cwd)));
    if (grep !== undefined && page.sessions.length === 0 && !json) context.err("No session has that.\n");
    else {
      const { shortId } = page;
      printSessions(context, page, { json: json === true, all: all === true, isSetUp: isHere, shortId });
    }
  },
});
