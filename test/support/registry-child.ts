/**
 * Registers one session after the other, for the process in its second argument. Prints the session after each time.
 *
 * Arguments: the registry, the process of the client, the beginning of the sessions' names, how many.
 */
import { registerSession } from "../../src/gates/registry.ts";

const [path = "", client = "0", who = "", times = "0"] = process.argv.slice(2);
const place = { path, clock: { now: () => new Date() }, wait: 120_000 };
for (let index = 0; index < Number(times); index += 1) {
  const id = `${who}-${index}`;
  const facts = { id, pid: process.pid, ppid: Number(client), projectDir: "/project", branch: "main" };
  const { failure } = await registerSession(place, facts);
  if (failure !== undefined) throw failure;
  process.stdout.write(`${id}\n`);
}
