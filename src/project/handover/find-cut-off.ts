import { readLastPrompt } from "../../conversation/read-last-prompt.ts";
import type { CutOff } from "../../handover/brief/compose-brief.ts";
import type { RecordSite } from "../project-record.ts";

/** How many characters of a prompt are told. */
const longestPrompt = 300;

/**
 * Returns what the last session of a project was asked when it was cut off; undefined where it ended, or lives. The
 * session that asks is not meant.
 */
export async function findCutOff(
  { log, project, clock }: Pick<RecordSite, "log" | "project" | "clock">,
  own: string | undefined,
): Promise<CutOff | undefined> {
  const { sessions } = await log.list({ project: project.id, limit: 2, now: clock.now() });
  const last = sessions.find(
    ({ id, clientSessionId }) => own === undefined || ![id, clientSessionId].includes(own),
  );
  if (last?.status !== "interrupted") return undefined;
  const prompt = await readLastPrompt(log, last.id);
  return prompt === undefined
    ? undefined
    : { session: last.id, at: last.updatedAt, prompt: prompt.slice(0, longestPrompt) };
}
