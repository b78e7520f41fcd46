/** Takes the terminal as a chat does, and fails in a way that nobody has foreseen. */
import { openKeyTerminal } from "../../src/cli/key-terminal.ts";

const { terminal } = openKeyTerminal(() => undefined);
terminal.start(
  () => undefined,
  () => undefined,
);
terminal.hideCursor();
setTimeout(() => {
  throw new Error("a mistake of our own");
}, 100);
