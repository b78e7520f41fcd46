import { openProjectHandover } from "../../handover/project-handover.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";

/** Appends lost decisions again, and says which. */
export async function sayRestored(
  context: CommandContext,
  { json }: { readonly json?: true | undefined },
): Promise<void> {
  await writeHere(context, async (here) => {
    const restored = await (await openProjectHandover(here)).restoreDecisions();
    if (json) return context.out(`${renderJson({ restored })}\n`);
    if (restored.length === 0) return context.err("None of those that were written here is gone.\n");
    context.out(restored.map((seq) => `D${seq}\n`).join(""));
  });
}
