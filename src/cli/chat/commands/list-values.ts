import { exportFormats } from "../../../formats/export-sessions.ts";
import { readHere } from "../../../workspace/open-here.ts";
import { describeTitle } from "../../describe-title.ts";
import type { ChatSetting } from "../chat-face.ts";

/** More are not for choosing among. */
const sessionLimit = 50;

/** What could stand behind the name of a command. */
export interface Value {
  readonly value: string;
  readonly description: string;
}

/** Lists what a command could be given. */
export async function listValues(setting: ChatSetting, command: string): Promise<readonly Value[]> {
  if (command === "load" || command === "diff") return listSessions(setting);
  if (command === "export") return exportFormats.map((value) => ({ value: `${value} `, description: "" }));
  return [];
}

/** Lists the other sessions of this project, newest first. */
function listSessions({ context, chat }: ChatSetting): Promise<readonly Value[]> {
  return readHere(context, async ({ store, project }) => {
    if (project === undefined) return [];
    const query = { project: project.id, limit: sessionLimit, now: context.clock.now() };
    const { sessions } = await store.log.list(query);
    return sessions
      .filter(({ id }) => id !== chat.status.session)
      .map((session) => ({ value: session.id, description: describeTitle(session) }));
  });
}
