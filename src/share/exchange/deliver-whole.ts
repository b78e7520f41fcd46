import type { SessionId } from "../../sessions/ids.ts";
import type { Intake, LinkedEntry } from "../../sessions/replica.ts";
import { readScrubNote } from "../../sessions/scrub-note.ts";
import { beginSession, describeJourney, type Journey } from "./deliver.ts";
import type { Ways } from "./ways.ts";

/** What arrived of a session. */
interface Arrived {
  readonly journey: Journey;
  readonly id: SessionId;
  readonly entries: number;
  /** The entries that were scrubbed, as notes among those that arrived say. */
  readonly scrubbed: ReadonlySet<string>;
}

/**
 * Brings the rest of sessions in one go: those of which something was scrubbed, here or there, and forks without origin.
 *
 * All notes arrive before any body is replaced, so that no session gets a second note, by which the stores would part.
 * Returns how many bodies were replaced.
 */
export async function deliverWhole(ways: Ways, journeys: readonly Journey[], at: Date): Promise<number> {
  const { arrived, replaced } = await ways.target.receive(async (intake) => {
    const arrived: Arrived[] = [];
    for (const journey of journeys) arrived.push(await bring(ways, intake, journey));
    let replaced = 0;
    for (const { journey, id, scrubbed } of arrived)
      replaced += await intake.replace(id, await readScrubbed(ways, journey, scrubbed), at);
    for (const { id } of arrived) await intake.finish(id, at);
    return { arrived, replaced };
  });
  for (const { journey, id, entries } of arrived) {
    journey.arrivedAs = id;
    journey.arrived = journey.head.entries;
    journey.brought += entries;
  }
  return replaced;
}

async function bring({ source }: Ways, intake: Intake, journey: Journey): Promise<Arrived> {
  const { head, machine, arrivedAs, arrived } = journey;
  const begun =
    arrivedAs === undefined
      ? await beginSession(intake, journey, await describeJourney(source, head))
      : { id: arrivedAs, from: arrived };
  const scrubbed = new Set<string>();
  let entries = 0;
  for await (const batch of source.read(head.session, { from: begun.from + 1, to: head.entries })) {
    await intake.add(begun.id, batch, machine);
    entries += batch.length;
    for (const { kind, body } of batch)
      if (kind === "event") for (const { id } of readScrubNote(body)) scrubbed.add(id);
  }
  return { journey, id: begun.id, entries, scrubbed };
}

/** Returns entries as they are where they were scrubbed. */
async function readScrubbed(
  { source }: Ways,
  { head }: Journey,
  ids: ReadonlySet<string>,
): Promise<readonly LinkedEntry[]> {
  if (ids.size === 0) return [];
  const found: LinkedEntry[] = [];
  for await (const batch of source.read(head.session, { to: head.entries }))
    found.push(...batch.filter(({ id, scrubbedFrom }) => scrubbedFrom !== null && ids.has(id)));
  return found;
}
