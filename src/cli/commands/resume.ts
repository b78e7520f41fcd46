import { rm } from "node:fs/promises";
import { Option } from "@commander-js/extra-typings";
import { clientNames } from "../../clients/registry.ts";
import { AppError, unlessFailed } from "../../lib/app-error.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import {
  listResumable,
  makePlanner,
  type ResumePlan,
  type ResumePlanner,
} from "../../lifecycle/plan-resume.ts";
import { planWithBrief } from "../../lifecycle/plan-with-brief.ts";
import { environmentOf, renderResume } from "../../lifecycle/resume-command.ts";
import { SessionNotFound } from "../../sessions/errors.ts";
import type { SessionId } from "../../sessions/ids.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { beginningOf, readShortIds } from "../../sessions/short-ids.ts";
import { readLastPrompt } from "../../sessions/user-words.ts";
import { findHere, readHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { Choice } from "../choice-list.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand, jsonOption, sessionHelp } from "../define-command.ts";
import { report, startResumed } from "../resume-session.ts";
import { indexStore } from "../search/show-indexing.ts";
import { layOutChoices } from "../session-choices.ts";

export const command = defineCommand({
  details:
    "Starts Claude Code in the folder of the session, with the settings folder that it was in; a chat goes on in " +
    "`carryon chat`, a run in `carryon run`, or with --client in a client. " +
    "In a pipe, or with --print, the command is printed and not run. " +
    "Where no file of the client has all of the session, it is written from the store first, under a new id if the client has " +
    "another part of it; a file that is there is never changed. What is done there is recorded in the session that was resumed. " +
    "--dry-run says what would be written, and what cannot be. " +
    "`latest` is the newest session that can be resumed. With --brief a new session is started instead, which is told what " +
    "`carryon brief` tells.",
  examples: [
    {
      line: "carryon resume",
      does: "Choose a session of this project; type to find it by its content",
    },
    { line: "carryon resume latest", does: "Go on where you stopped" },
    { line: "carryon resume --brief", does: "Begin a new session that knows what the last ones left" },
    { line: "carryon resume 1feeca77 --print", does: "See how Claude Code would be started" },
  ],
  define: (command) =>
    command
      .argument("[id]", `${sessionHelp}; asks on a terminal, else the newest`)
      .addOption(
        new Option(
          "--brief",
          "Start fresh with the brief instead, in the folder of the session or in this one",
        ).conflicts(["dryRun", "json"]),
      )
      .addOption(
        new Option("--client <name>", "Go on in this client, also in a chat or run").choices(clientNames()),
      )
      .option("--print", "Print the command, do not run it")
      .option("--dry-run", "Say what would be written for Claude Code, and start nothing")
      .addOption(jsonOption()),
  run: async (context, [id], { brief, client, print, dryRun, json }) => {
    await catchUp(context);
    if (brief) return startWithBrief(context, id, { print });
    const plan = await readHere(context, (here) => planHere(context, here, { id, client }));
    if (plan === undefined) return context.err("Nothing was started.\n");
    return dryRun || json ? report(context, plan, { dryRun, json }) : startResumed(context, plan, { print });
  },
});

/** Plans to resume the session that a person names or chooses; undefined when nothing was chosen. */
async function planHere(
  context: CommandContext,
  here: OpenProject,
  { id, client }: { readonly id: string | undefined; readonly client: string | undefined },
): Promise<ResumePlan | undefined> {
  const { check, plan, planNewest } = makePlanner(context, here, client);
  const session =
    id === undefined ? await chooseSession(context, here, check) : await findHere(context, here, id);
  if (session === undefined) return undefined;
  const asks = context.isTerminal.input && context.isTerminal.error;
  return id === "latest" || (id === undefined && !asks) ? planNewest(session) : plan(session);
}

/** Starts the client with the brief, or prints how: that may be run later, so that its file stays until it is swept by its age. */
async function startWithBrief(
  context: CommandContext,
  id: string | undefined,
  { print }: { readonly print?: true | undefined },
): Promise<void> {
  const command = await planWithBrief(context, id);
  if (print || !(context.isTerminal.input && context.isTerminal.output))
    return context.out(`${renderResume(command)}\n`);
  const { cwd, program, args } = command;
  try {
    await context.start({ cwd, program, args, env: environmentOf(command, context.env) });
  } finally {
    await rm(command.file, { force: true });
  }
}

/** What was typed is looked for in so many entries. */
const mostFound = 200;

/**
 * Lets a person choose one of the sessions of this project that a client can resume; a script gets the newest.
 *
 * `check` throws for a session that cannot be resumed: it is shown with the reason, and cannot be chosen.
 */
async function chooseSession(
  context: CommandContext,
  { store, project }: OpenProject,
  check: ResumePlanner["check"],
): Promise<Session | undefined> {
  const now = context.clock.now();
  const sessions = project === undefined ? [] : await listResumable(store.log, { now, project: project.id });
  const [newest] = sessions;
  if (project === undefined || newest === undefined)
    throw new SessionNotFound(
      "of Claude Code, of a chat or of a run in this project",
      "`carryon import claude-code --project .` takes in what it has kept, `carryon chat` begins one; `carryon sessions --all` lists other projects.",
    );
  if (sessions.length === 1 || !(context.isTerminal.input && context.isTerminal.error)) return newest;
  await indexStore(context, store);
  const candidates = sessions.map((session) => ({ session, prompt: undefined, obstacle: undefined }));
  const view = { width: context.columns ?? 80, style: context.errorStyle, now, shortId: beginningOf };
  const describe = layOutChoices(candidates, view);
  const read = async (session: Session) => {
    const prompt = await readLastPrompt(store.log, session.id);
    const shortId = await readShortIds(store.log, [session.id]);
    return describe({ session, prompt, obstacle: await findObstacle(session, check) }, shortId);
  };
  const places = new Map(sessions.map(({ id }, index) => [id, index]));
  const find = async (typed: string) => {
    const found = await findContent(store, { query: typed, project: project.id, now });
    return found.flatMap((id) => places.get(id) ?? []);
  };
  const choices = candidates.map((candidate) => describe(candidate));
  await readUntilOneFits(sessions, choices, read);
  const chosen = await context.choose("Which session?", choices, {
    read: (index) => read(sessions[index] ?? newest),
    find,
  });
  return chosen === undefined ? undefined : sessions[chosen];
}

/** The first that can be chosen is marked at once. */
async function readUntilOneFits(
  sessions: readonly Session[],
  choices: Choice[],
  read: (session: Session) => Promise<Choice>,
): Promise<void> {
  for (const [index, session] of sessions.slice(0, mostRead).entries()) {
    const choice = await read(session);
    choices[index] = choice;
    if (choice.refusal === undefined) return;
  }
}

/** More are not read before the first is shown. */
const mostRead = 30;

/** Returns the sessions in which something is said that fits, best first; the last word may be only begun. */
async function findContent(
  { search }: OpenProject["store"],
  request: Omit<SearchRequest, "match" | "limit">,
): Promise<readonly SessionId[]> {
  const ask = (query: string) =>
    // A session can be found by its title all the same.
    unlessFailed(search.search({ ...request, query, match: "ranked", limit: mostFound }), { hits: [] });
  const { hits } = await ask(request.query);
  const found = hits.length > 0 ? hits : (await ask(`${request.query.trim()}*`)).hits;
  return [...new Set(found.map(({ session }) => session))];
}

async function findObstacle(session: Session, check: ResumePlanner["check"]): Promise<AppError | undefined> {
  try {
    await check(session);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
