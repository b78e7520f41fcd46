import { toPrintableLine } from "../../lib/printable.ts";
import { storeOf } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";

/** Says that a client is recorded on this machine, where commands read another store. */
export async function tellOfServer(context: CommandContext): Promise<void> {
  const { file, path } = await storeOf(context);
  if (file !== undefined) return;
  context.err(
    `Claude Code is recorded in the store of this machine, not in ${toPrintableLine(path)}. ` +
      "To read it, run commands without CARRYON_STORE and without `store` in config.yaml.\n",
  );
}
