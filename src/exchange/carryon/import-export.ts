import type { Replica } from "../../conversation/replica.ts";
import { type TakenSession, takeSession } from "../../conversation/take-session.ts";
import { EntryCursor } from "./entry-cursor.ts";
import type { OpenValues, Survey } from "./survey.ts";

/** Takes the sessions of a surveyed export in, all or none. */
export async function importExport(
  replica: Replica,
  open: OpenValues,
  { sessions }: Survey,
  now: Date,
): Promise<readonly TakenSession[]> {
  const cursor = new EntryCursor(open);
  try {
    return await replica.receive(async (intake) => {
      const taken: TakenSession[] = [];
      for (const [number, { session, machine }] of sessions.entries()) {
        const entries = () => cursor.entries(number, session.entries);
        taken.push(await takeSession(intake, { session, machine, entries }, now));
      }
      return taken;
    });
  } finally {
    await cursor.close();
  }
}
