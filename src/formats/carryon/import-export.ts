import { BrokenStretch } from "../../sessions/errors.ts";
import type { Replica } from "../../sessions/replica.ts";
import { type TakenSession, takeSession } from "../../sessions/take-session.ts";
import { BadImport } from "../bad-import.ts";
import { EntryCursor } from "./entry-cursor.ts";
import { RecordFollower } from "./follow-records.ts";
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
        const taking = takeSession(intake, { session, machine, entries }, now);
        taken.push(await taking.catch((error: unknown) => explain(error, open, number)));
      }
      return taken;
    });
  } finally {
    await cursor.close();
  }
}

/** Says where in the file an entry stands that only the store could refuse: an id that comes twice, a parent that is missing. */
async function explain(error: unknown, open: OpenValues, number: number): Promise<never> {
  if (!(error instanceof BrokenStretch)) throw error;
  const follower = new RecordFollower("envelope");
  let ended = 0;
  for await (const value of open("envelope")) {
    const record = follower.take(value);
    if (record.type === "end") ended += 1;
    if (ended === number && record.type === "entry" && record.entry.seq === error.seq)
      throw new BadImport(value.where, error.reason, { cause: error });
  }
  throw error;
}
