/**
 * Satisfies a gate for one session after the other. Prints the session after each time.
 *
 * Arguments: the folder of the state files, the branch, the beginning of the sessions' names, how many.
 */
import { changeGateState } from "../../src/gates/state/change-gate-state.ts";
import { satisfy } from "./gate-states.ts";

const [folder = "", branch = "", who = "", times = "0"] = process.argv.slice(2);
const place = { folder, project: "/project", clock: { now: () => new Date() }, wait: 120_000 };
for (let index = 0; index < Number(times); index += 1) {
  const session = `${who}-${index}`;
  const { failure } = await changeGateState(place, branch, () => [satisfy("plan", session)]);
  if (failure !== undefined) throw failure;
  process.stdout.write(`${session}\n`);
}
