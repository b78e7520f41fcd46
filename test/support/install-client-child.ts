/** Installs Claude Code in the version that is given, and prints the program. */
import { installClient } from "./clients/install-client.ts";

const [version = ""] = process.argv.slice(2);
process.stdout.write(`${(await installClient("claude-code", version)).program}\n`);
