import { rm } from "node:fs/promises";
import type { Fidelity } from "../../clients/claude-code/to-rows.ts";
import { AppError, unlessFailed } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { listResumable, makePlanner, type ResumePlan } from "../../lifecycle/plan-resume.ts";
import { planWithBrief } from "../../lifecycle/plan-with-brief.ts";
import { environmentOf, ownProgram, renderResume } from "../../lifecycle/resume-command.ts";
import { readNative, writeTranscript } from "../../recording/write-transcript.ts";
import { SessionNotFound } from "../../sessions/errors.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { readLastPrompt } from "../../sessions/read-last-prompt.ts";
import type { SearchRequest } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { beginningOf, readShortIds } from "../../sessions/short-ids.ts";
import { followIndex } from "../../workspace/follow-index.ts";
import { locateHome } from "../../workspace/locate-home.ts";
import { choiceOf, findHere, readHere, writeHere } from "../../workspace/open-here.ts";
import type { OpenProject } from "../../workspace/open-project.ts";
import type { Choice } from "../choice-list.ts";
import type { CommandContext } from "../command-context.ts";
import { defineCommand } from "../define-command.ts";
import { jsonOption, sessionHelp } from "../parse-options.ts";
import { renderJson } from "../render-json.ts";
import { showIndexing } from "../search/show-indexing.ts";
import { layOutChoices } from "../session-choices.ts";

export const command = defineCommand({
  details:
    "Starts Claude Code in the folder of the session, with the settings folder that it was in; a chat goes on in " +
    "`carryon chat`, a run in `carryon run`. " +
    "In a pipe, or with --print, the command is printed and not run. " +
    "Where Claude Code has deleted the session, or never had it, its transcript is written from the store first; a file that is " +
    "there is never changed. --dry-run says what would be written, and what cannot be. " +
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
      .option("--brief", "Start fresh with the brief instead, in the folder of the session or in this one")
      .option("--print", "Print the command, do not run it")
      .option("--dry-run", "Say what would be written for Claude Code, and start nothing")
      .addOption(jsonOption()),
  run: async (context, [id], { brief, print, dryRun, json }) => {
    await catchUp(context);
    if (brief) return startWithBrief(context, id, { print });
    const plan = await readHere(context, (here) => planHere(context, here, id));
    if (plan === undefined) return context.err("Nothing was started.\n");
    if (dryRun || json) return report(context, plan, { dryRun, json });
    for (const caution of [...plan.cautions, ...plan.others]) context.err(`${toPrintableLine(caution)}\n`);
    const isPrinted = print || !(context.isTerminal.input && context.isTerminal.output);
    if (isPrinted) {
      await writeMissing(context, plan);
      return context.out(`${renderResume(plan.command)}\n`);
    }
    // The client clears the screen, and the warning with it.
    if (plan.others.length > 0 && !(await context.confirm("Start Claude Code in it all the same?")))
      return context.err("Nothing was started.\n");
    await writeMissing(context, plan);
    const { cwd, program, args } = plan.command;
    const [node, launcher] = context.program;
    const started = program === ownProgram ? { program: node, args: [launcher, ...args] } : { program, args };
    await context.start({ cwd, ...started, env: environmentOf(plan.command, context.env) });
  },
});

/** Gives the client the transcript that it lacks, and says so; undefined where it lacks none. */
async function writeMissing(context: CommandContext, { missing }: ResumePlan): Promise<Fidelity | undefined> {
  if (missing === undefined) return undefined;
  const target = { ...missing.target, home: locateHome(context.env, context.userHome) };
  const fidelity = await writeHere(context, ({ store }) => writeTranscript(store, missing.session, target));
  context.err(
    `Claude Code has no transcript of this session: it was written from the store. ${renderFidelity(fidelity)}\n`,
  );
  return fidelity;
}

/** Says what would be written, and what the transcript would lack. */
async function report(
  context: CommandContext,
  plan: ResumePlan,
  { dryRun, json }: { readonly dryRun?: true | undefined; readonly json?: true | undefined },
): Promise<void> {
  const { command, missing } = plan;
  const read = async () =>
    missing && (await readHere(context, ({ store }) => readNative(store, missing.session, missing.target)));
  const written = (dryRun ? (await read())?.fidelity : await writeMissing(context, plan)) ?? null;
  if (json) context.out(`${renderJson({ command: renderResume(command), written })}\n`);
  else if (written === null) context.out("Claude Code has this session itself: nothing would be written.\n");
  else context.out(`A transcript would be written for Claude Code. ${renderFidelity(written)}\n`);
}

/** Says in a line or two what a written transcript has, and what it lacks. */
function renderFidelity({ kept, changed, leftOut }: Fidelity): string {
  const words = Object.entries(kept).map(([noun, count]) =>
    plural(count, noun, noun === "summary" ? "summaries" : undefined),
  );
  const list = (label: string, counts: Fidelity["kept"]) => {
    const told = Object.entries(counts).map(([name, count]) => `${name} (${count})`);
    return told.length === 0 ? "" : ` ${label}: ${told.join(", ")}.`;
  };
  return `Kept: ${words.join(", ") || "nothing"}.${list("Changed", changed)}${list("Left out", leftOut)}`;
}

/** Plans to resume the session that a person names or chooses; undefined when nothing was chosen. */
async function planHere(
  context: CommandContext,
  here: OpenProject,
  id: string | undefined,
): Promise<ResumePlan | undefined> {
  const { plan, planNewest } = await makePlanner(context, here);
  const session =
    id === undefined ? await chooseSession(context, here, plan) : await findHere(context, here, id);
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
 * `plan` throws for a session that cannot be resumed: it is shown with the reason, and cannot be chosen.
 */
async function chooseSession(
  context: CommandContext,
  { store, project }: OpenProject,
  plan: (session: Session) => Promise<unknown>,
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
  await followIndexIfAble(context, store);
  const candidates = sessions.map((session) => ({ session, prompt: undefined, obstacle: undefined }));
  const view = { width: context.columns ?? 80, style: context.errorStyle, now, shortId: beginningOf };
  const describe = layOutChoices(candidates, view);
  const read = async (session: Session) => {
    const prompt = await readLastPrompt(store.log, session.id);
    const shortId = await readShortIds(store.log, [session.id]);
    return describe({ session, prompt, obstacle: await findObstacle(session, plan) }, shortId);
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

/** Without the index, nothing but what is said of a session is found by typing. */
async function followIndexIfAble(context: CommandContext, store: OpenProject["store"]): Promise<void> {
  const followed = showIndexing(context, (show) => followIndex(choiceOf(context), store, show));
  await unlessFailed(followed, undefined);
}

async function findObstacle(
  session: Session,
  plan: (session: Session) => Promise<unknown>,
): Promise<AppError | undefined> {
  try {
    await plan(session);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
