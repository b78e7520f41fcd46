import { locateRoot } from "../git/locate-root.ts";
import { catchUp } from "../lifecycle/catch-up.ts";
import type { SessionPage, SessionQuery } from "../sessions/conversation-log.ts";
import { chooseProject, type ProjectChoice } from "../workspace/choose-project.ts";
import { isNoStore, readHere } from "../workspace/open-here.ts";
import type { CommandContext } from "./command-context.ts";
import { printSessions } from "./print-sessions.ts";
import { isSetUp } from "./read-status.ts";
import { indexHere } from "./search/index-here.ts";
import { listSaid } from "./search/list-said.ts";
import { readTableIds, type ShortId } from "./short-ids.ts";

/** How many sessions a list has, unless told. */
export const usualLimit = 50;

/** Which sessions are listed, and how. */
export interface ListRequest {
  readonly choice: ProjectChoice;
  readonly query: Omit<SessionQuery, "project" | "now" | "updatedAfter">;
  /** Changed in so many milliseconds. */
  readonly since?: number | undefined;
  /** Only those in which a search finds this. */
  readonly grep?: string | undefined;
  readonly json: boolean;
  /** What is said where there are none, instead of how to begin one. */
  readonly none?: string;
}

/** A page, and how its ids are printed. */
type ShownPage = SessionPage & { readonly shortId: ShortId };

const emptyPage: ShownPage = { sessions: [], damaged: [], next: null, shortId: (id) => id };

/** Prints sessions, newest first. */
export async function listSessions(context: CommandContext, request: ListRequest): Promise<void> {
  const { choice, grep, json } = request;
  await catchUp(context);
  const page = await readPage(context, request).catch((error: unknown) => {
    if (isNoStore(error)) return emptyPage;
    throw error;
  });
  const isEmpty = page.sessions.length === 0;
  const none = grep === undefined ? request.none : "No session has that.";
  if (isEmpty && !json && none !== undefined) return context.err(`${none}\n`);
  const isHere = isEmpty && (await isSetUp(context, await locateRoot(context.cwd)));
  const { shortId } = page;
  printSessions(context, page, { json, all: choice.all === true, isSetUp: isHere, shortId });
}

function readPage(context: CommandContext, { choice, query, since, grep }: ListRequest): Promise<ShownPage> {
  const now = context.clock.now();
  const updatedAfter = since === undefined ? {} : { updatedAfter: new Date(now.getTime() - since) };
  return readHere(context, async (here) => {
    const scope = await chooseProject(here, choice);
    if (scope === "nothing") return emptyPage;
    const wanted = { ...query, ...scope, ...updatedAfter, now };
    if (grep !== undefined) await indexHere(context, here.store);
    const found = await (grep === undefined
      ? here.store.log.list(wanted)
      : listSaid(here.store, grep, wanted));
    return { ...found, shortId: await readTableIds(context, here.store.log, found.sessions) };
  });
}
