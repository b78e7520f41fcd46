import { openPostgres } from "../src/storage/postgres/open-postgres.ts";
import { startPostgres } from "../test/support/postgres-server.ts";
import { BarePostgres } from "./bare-postgres.ts";
import type { Bench, Outcome } from "./figure.ts";
import { compare, interleave, medianOf, subject } from "./measure.ts";
import { bodyText, fill, makeMessage, makeMessages, openSession } from "./workload.ts";

const batchSize = 64;
const length = 1000;
const mostRounds = 400;

/** One append to a session on PostgreSQL, and a batch, beside bare single inserts on the same server. */
export async function postgres(bench: Bench): Promise<Outcome> {
  await using server = await startPostgres();
  await using bare = await BarePostgres.open(server.url);
  await using store = await openPostgres(server.url, new Uint8Array(32));
  const session = await openSession(store, "measured");
  await fill(store, session, length);
  const times = await interleave(
    [
      subject({
        name: "append",
        prepare: makeMessage,
        work: (message) => store.log.append(session, [message]),
      }),
      subject({
        name: "batch",
        samples: mostRounds / 4,
        prepare: () => makeMessages(batchSize),
        work: (messages) => store.log.append(session, messages),
      }),
      subject({
        name: "bare",
        prepare: () => bodyText(makeMessage()),
        work: (body) => bare.append(body),
      }),
    ],
    Math.min(bench.scale.rounds, mostRounds),
  );
  const limit = "a bare insert of the same bytes on the same server";
  return {
    measurements: [
      {
        work: "durable append of a 2 KB message on PostgreSQL",
        limit,
        ...compare(times, "append", "bare"),
      },
      {
        work: `durable append of ${batchSize} of them at once`,
        limit,
        ...compare(times, "batch", "bare"),
      },
    ],
    milliseconds: {
      "append on PostgreSQL": medianOf(times, "append"),
      [`append of ${batchSize} on PostgreSQL`]: medianOf(times, "batch"),
      "bare insert on PostgreSQL": medianOf(times, "bare"),
    },
  };
}
