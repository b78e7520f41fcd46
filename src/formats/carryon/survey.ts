import type { ReplicaSession } from "../../sessions/replica.ts";
import { BadImport } from "../bad-import.ts";
import { RecordFollower } from "./follow-records.ts";
import type { Scrutiny } from "./parse-entry.ts";
import type { PlacedValue } from "./read-values.ts";

/**
 * Opens the values of an export from the first on; as often as is asked for.
 *
 * What was read whole once is read again faster: the hashes of its entries prove that it is the same.
 */
export type OpenValues = (scrutiny: Scrutiny) => AsyncIterable<PlacedValue> | Iterable<PlacedValue>;

/** A session of an export, of which every hash is right. */
interface Surveyed {
  readonly session: ReplicaSession;
  /** The machine that the export comes from. */
  readonly machine: string;
}

export interface Survey {
  readonly sessions: readonly Surveyed[];
  /** What is wrong with the file; the sessions are those before it, the last of them as far as it is whole. */
  readonly problem: BadImport | undefined;
}

/** Reads an export to its end, or to the first thing that is wrong with it. Keeps nothing of the entries. */
export async function surveyExport(open: OpenValues): Promise<Survey> {
  const sessions: Surveyed[] = [];
  const follower = new RecordFollower("whole");
  try {
    for await (const value of open("whole")) {
      const record = follower.take(value);
      if (record.type === "end") sessions.push({ session: record.session, machine: record.machine });
    }
    follower.finish();
    return { sessions, problem: undefined };
  } catch (error) {
    if (!(error instanceof BadImport)) throw error;
    const { unfinished } = follower;
    // Without an entry there is nothing of it to keep.
    const isBegun = unfinished !== undefined && unfinished.session.entries > 0;
    return { sessions: isBegun ? [...sessions, unfinished] : sessions, problem: error };
  }
}
