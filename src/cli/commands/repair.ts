import { Option } from "@commander-js/extra-typings";
import { type RepairedFile, repairClient } from "../../care/repair-client.ts";
import { clientNamed, clientNames, usualClient } from "../../clients/registry.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { describeFaults } from "../../recording/examine-file.ts";
import { toProblem } from "../../storage/store-report.ts";
import { renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, sessionHelp } from "../define-command.ts";
import { exitCode } from "../exit-code.ts";

export const command = defineCommand({
  details:
    "Every row of the client that can be read stays as it is; what is lost comes from the store, as far as it is recorded. " +
    "The mended file is a copy beside the damaged one. With --install it takes its place, and the damaged one is kept; the client " +
    "reads neither. Nothing is replaced while a client is in the session; the others are mended all the same. " +
    "Without an ID, all damaged files of the client are mended: `carryon doctor --clients` lists them.",
  examples: [
    {
      line: "carryon repair --client claude-code 1feeca77",
      does: "Make a mended copy, and say what was done",
    },
    {
      line: "carryon repair --client claude-code 1feeca77 --install",
      does: "Put the mended file in place; the damaged one is kept",
    },
  ],
  define: (command) =>
    command
      .argument("[id]", `${sessionHelp}, or the client's own id; else all that are damaged`)
      .addOption(
        new Option("--client <name>", "Mend the files of this client")
          .choices(clientNames())
          .makeOptionMandatory(),
      )
      .option("--install", "Replace the damaged files, and keep them beside")
      .addOption(jsonOption()),
  run: async (context, [session], { client, install, json }) => {
    const meant = clientNamed(client) ?? usualClient;
    const { files, failed } = await repairClient(context, { client: meant, session, install });
    if (json) context.out(`${renderJson({ client, files, failed: failed.map(toProblem) })}\n`);
    else if (files.length + failed.length === 0) context.out("Nothing is damaged.\n");
    else context.out(files.map(renderFile).join("\n"));
    const again = `carryon repair --client ${client}${session === undefined ? "" : ` ${session}`} --install`;
    if (!json && !install && files.length > 0)
      context.err(`Nothing was replaced. To put the mended files in place: \`${toPrintableLine(again)}\`\n`);
    const [worst, ...others] = failed.toSorted((one, other) => exitCode(one) - exitCode(other));
    for (const { message } of others) context.err(`${toPrintableLine(message)}\n`);
    if (worst !== undefined) throw worst;
  },
});

function renderFile({ path, faults, kept, leftOut, restored, mended, original }: RepairedFile): string {
  const lost = leftOut === 0 ? "" : `, ${plural(leftOut, "line")} left out`;
  const back = restored === 0 ? "" : `, ${plural(restored, "row")} brought back from the store`;
  const lines = [
    `File         ${path}`,
    `Found        ${describeFaults(faults) || "rows that only the store has"}`,
    `Result       ${plural(kept, "row")} kept${lost}${back}`,
    original === null ? `Mended copy  ${mended}` : `Damaged file ${original}`,
  ];
  return lines.map((line) => `${toPrintableLine(line)}\n`).join("");
}
