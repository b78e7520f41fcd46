import { dirname } from "node:path";
import { runHook } from "./run-hook.ts";

// Whatever Node warns of, the client would show to its user.
process.emitWarning = () => undefined;
// Nothing that Carryon makes is for others to read.
process.umask(0o077);
// The bundle lies in the folder `bin` of the home.
runHook({ home: dirname(dirname(process.argv[1] ?? "")), env: process.env });
process.exitCode = 0;
