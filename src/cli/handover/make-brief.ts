import { parseSessionId } from "../../conversation/ids.ts";
import type { Brief } from "../../handover/brief/render-brief.ts";
import { chooseHandoverPlace } from "../../project/handover/choose-place.ts";
import { openProjectHandover } from "../../project/handover/project-handover.ts";
import { type BriefRequest, readBrief } from "../../project/handover/read-brief.ts";
import { locateHome } from "../../project/locate-home.ts";
import { locatePlace } from "../../project/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";
import { isNoStore, readHere, writeHere } from "../open-here.ts";

/**
 * Makes the brief of the current folder and says it; one that is for a session of an agent begins that session, once.
 *
 * It is said first: where decisions.md cannot be written, the agent must know the rest nevertheless.
 */
export async function makeBrief(
  context: CommandContext,
  request: BriefRequest,
  say: (brief: Brief) => void,
): Promise<void> {
  const { session } = request;
  if (session === undefined) return say(await readOnly(context, request));
  const id = parseSessionId(session);
  await writeHere(context, async (here) => {
    const handover = await openProjectHandover(here, context);
    say(await handover.brief({ ...request, session: id }));
    await handover.begin(id);
  });
}

async function readOnly(context: CommandContext, request: BriefRequest): Promise<Brief> {
  try {
    return await readHere(context, async ({ project, ...here }) => {
      if (project === undefined) return readUnrecorded(context, request);
      const handover = await openProjectHandover({ ...here, project }, context);
      return handover.brief(request);
    });
  } catch (error) {
    if (isNoStore(error)) return readUnrecorded(context, request);
    throw error;
  }
}

/** Without a record nothing is known to be from this user, and nobody was trusted. */
async function readUnrecorded(context: CommandContext, request: BriefRequest): Promise<Brief> {
  const { cwd, env, userHome, clock } = context;
  const { root, git } = await locatePlace(cwd);
  const place = await chooseHandoverPlace({ home: locateHome(env, userHome), root });
  return readBrief({ place, git, now: clock.now(), record: undefined, isTrusted: false }, request);
}
