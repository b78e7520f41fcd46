import { noRepository } from "../../gates/change-gates.ts";
import type { GateDesk } from "../../gates/gate-desk.ts";
import { releaseTree } from "../../gates/release-held.ts";
import { plural } from "../../lib/plural.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { requirePerson } from "../require-person.ts";
import type { GateRequest } from "./gate-request.ts";

/** Lets what the files of the gates say now count in the sessions that have begun before. */
export async function reload(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  await requirePerson(context, "Only a person lets other gates count in a session that runs");
  const sessions = releaseTree(here);
  if (request.json) return context.out(`${renderJson({ changed: sessions > 0 })}\n`);
  const who = sessions === 0 ? "No session is held to anything else" : plural(sessions, "session");
  context.err(
    sessions === 0 ? `${who}.\n` : `What the files of the gates say counts from the next step on: ${who}.\n`,
  );
}
