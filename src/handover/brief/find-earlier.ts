import { readLastPrompt } from "../../sessions/read-last-prompt.ts";
import type { Session } from "../../sessions/session.ts";
import type { RecordSite } from "../../workspace/project-record.ts";
import { DocumentRecord, type RecordedEvent } from "../document-record.ts";
import { findVersion } from "../document-versions.ts";
import type { BriefSources, CutOff } from "./compose-brief.ts";
import type { UntoldSession } from "./describe-untold.ts";

/** How many characters of the prompt of a session that was cut off are told. */
const longestPrompt = 300;
/** How many of the newest sessions are looked through. */
const within = 10;
/** How many sessions are told that no handover tells of. */
const mostUntold = 3;

/** Whose brief it is. */
interface Asking {
  /** The session that asks; it is not meant. */
  readonly own: string | undefined;
  /** The branch of now. */
  readonly branch: string | null | undefined;
}

/**
 * Returns what the last session of a project was asked, if it was cut off, and the last sessions that are over and that
 * no handover tells of. A draft that was made by itself knows only which files have changed. Those of another machine are
 * not this user's.
 */
export async function findEarlier(
  site: RecordSite,
  { own, branch }: Asking,
): Promise<Pick<BriefSources, "cutOff" | "untold">> {
  const { log, project, clock } = site;
  const query = { project: project.id, newest: "here", limit: within, now: clock.now() } as const;
  const { sessions } = await log.list(query);
  const others = sessions.filter((each) => own === undefined || !isCalled(each, own));
  const cutOff = await readCutOff(site, others[0]);
  const over = others.filter(({ id, status }) => status !== "open" && id !== cutOff?.session);
  if (over.length === 0) return { cutOff };
  const handover = await findVersion(
    new DocumentRecord(site, "session.md"),
    ({ data }) => data.polished === true,
  );
  const untold: UntoldSession[] = [];
  for (const session of over.filter((each) => !isTold(each, handover)).slice(0, mostUntold)) {
    const { id, updatedAt: at, title } = session;
    // Where it came to says more of the newest; what the others were about is known without reading them.
    const asked =
      untold.length > 0 && title !== "" ? title : ((await readLastPrompt(log, id, "near")) ?? title);
    const elsewhere = session.branch === branch ? null : session.branch;
    if (asked.trim() !== "") untold.push({ session: id, at, asked, branch: elsewhere });
  }
  return { cutOff, untold };
}

async function readCutOff({ log }: RecordSite, last: Session | undefined): Promise<CutOff | undefined> {
  if (last?.status !== "interrupted") return undefined;
  const prompt = await readLastPrompt(log, last.id);
  return prompt === undefined
    ? undefined
    : { session: last.id, at: last.updatedAt, prompt: prompt.slice(0, longestPrompt) };
}

/** A session says a word more after it has handed over. */
function isTold(session: Session, handover: RecordedEvent | undefined): boolean {
  if (handover === undefined) return false;
  const { by } = handover.data;
  return session.updatedAt <= handover.at || (typeof by === "string" && isCalled(session, by));
}

function isCalled({ id, clientSessionId }: Session, name: string): boolean {
  return id === name || clientSessionId === name;
}
