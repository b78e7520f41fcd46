/** Prints the identity of its process as JSON, then waits to be killed. */
import { readOwnIdentity } from "../../src/lib/process-identity.ts";

process.stdout.write(`${JSON.stringify(await readOwnIdentity())}\n`);
process.stdin.resume();
