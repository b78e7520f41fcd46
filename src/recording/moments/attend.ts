import { extractNotes } from "../../handover/extract-notes.ts";
import { renderOrigin } from "../../handover/note.ts";
import type { ProjectHandover } from "../../handover/project-handover.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { SyncTally } from "../sync-report.ts";
import { type ToldMoment, toldText } from "./read-moments.ts";
import { readTurnWork } from "./read-turn-work.ts";

/** Where the documents of a moment are, and where it is read what happened until then. */
interface AttendDesk {
  readonly log: ConversationLog;
  readonly handover: ProjectHandover;
}

/** Returns the document that a moment may change. */
export function documentOf({ item }: ToldMoment, { paths }: ProjectHandover): string {
  return item.event === "SubagentStop" ? paths.buffer : paths.session;
}

/** Writes down what a moment calls for: what a subagent has learned, or a draft of session.md. */
export async function attend(desk: AttendDesk, moment: ToldMoment, tally: SyncTally): Promise<void> {
  const { session } = moment;
  const path = documentOf(moment, desk.handover);
  if (moment.item.event === "SubagentStop") {
    const notes = await learn(desk, moment);
    if (notes > 0) tally.noted.push({ path, session, notes });
    return;
  }
  if (moment.item.event === "Stop") {
    const { notes } = await desk.handover.flushAfterWave(new Date(moment.turn.fromMs));
    const { knowledge } = desk.handover.paths;
    if (notes.length > 0) tally.flushed.push({ path: knowledge, session, notes: notes.length });
  }
  const drafted = await follow(desk, moment);
  if (drafted?.isChanged) tally.drafted.push({ path, session, trigger: drafted.trigger });
}

async function follow(desk: AttendDesk, moment: ToldMoment) {
  const { item, session, known, items, turn, cutOffAt } = moment;
  const { commands, files } = await readWork(desk, moment);
  return desk.handover.follow({
    ...{ session, at: item.receivedAt, turnFrom: new Date(turn.fromMs), files, cutOffAt },
    startedAt: known?.startedAt ?? items[0]?.receivedAt ?? item.receivedAt,
    // Only a turn that is over has completed what it ran.
    commands: item.event === "Stop" ? commands : [],
  });
}

function readWork({ log }: AttendDesk, { known, items, turn }: ToldMoment) {
  return readTurnWork({ log, session: known, items }, turn);
}

const unsaid = "unspecified";

/** Takes the notes of a subagent's last message, and returns how many are new. */
async function learn(desk: AttendDesk, moment: ToldMoment): Promise<number> {
  // The client sums up before a compaction with a subagent that has no type, and quotes what others said.
  const role = toldText(moment, "agent_type");
  const message = role === "" ? "" : toldText(moment, "last_assistant_message");
  if (extractNotes(message, "").length === 0) return 0;
  // A command names the spec that it is for.
  const spec = (await readWork(desk, moment)).commands.at(-1)?.split(" ")[1];
  const source = renderOrigin({ spec: spec ?? unsaid, role, task: unsaid });
  const notes = extractNotes(message, source).map(({ line: _line, ...note }) => note);
  return (await desk.handover.learn(notes, moment.item.receivedAt)).length;
}
