/** TORTURE_SERVER_FAULTS (100) says how often PostgreSQL is killed or disturbed, TORTURE_WRITERS (16) who writes. */
import { expect, it } from "vitest";
import { startPostgres } from "../support/postgres-server.ts";
import { report } from "../support/report.ts";
import { type Disturbance, disturb, type ServerFault, serverFaults } from "../support/server-faults.ts";
import { countProblems } from "../support/store-audit.ts";

const number = Number(process.env.TORTURE_SERVER_FAULTS ?? 100);
const writers = Number(process.env.TORTURE_WRITERS ?? 16);
const kinds = Object.keys(serverFaults) as ServerFault[];

it(`loses no acknowledged entry in ${number} faults of the server with ${writers} writers`, async () => {
  await using server = await startPostgres();
  const rounds: Disturbance[] = [];
  const sum = (key: "faults" | "receipts" | "setbacks") =>
    rounds.reduce((total, round) => total + round[key], 0);
  const problems = () => rounds.flatMap((round) => round.problems);
  while (sum("faults") < number && problems().length === 0) {
    const size = Math.min(2 * kinds.length, number - sum("faults"));
    const faults = Array.from(
      { length: size },
      (_, index) => kinds[index % kinds.length] ?? "it ends a connection",
    );
    rounds.push(await disturb(server, { faults, writers }));
  }
  const errors = [...new Set(rounds.flatMap((round) => round.errors))];
  report("Faults of the server", {
    ...{ faults: sum("faults"), writers, receipts: sum("receipts"), setbacks: sum("setbacks"), errors },
    ...countProblems(problems()),
  });
  expect({
    faults: sum("faults"),
    exits: new Set(rounds.flatMap((round) => round.exits)),
    problems: problems(),
  }).toEqual({ faults: number, exits: new Set([0]), problems: [] });
});
