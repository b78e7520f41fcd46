import { Option } from "@commander-js/extra-typings";
import { describeAge } from "../../lib/duration.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import { truncate, wrap } from "../../lib/terminal-text.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { correctDigest } from "../../memory/correct-digest.ts";
import { describeStatus } from "../../memory/earlier-work.ts";
import { type NumberedLine, readDigest, type SessionDigest } from "../../memory/read-digest.ts";
import { rightLine, workDone, workReopened, wrongLine } from "../../sessions/describing-events.ts";
import type { JsonObject } from "../../sessions/entry.ts";
import { findHere, readHere, writeHere } from "../../workspace/open-here.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { defineCommand, jsonOption, sessionHelp } from "../define-command.ts";
import { describeTitle } from "../describe-title.ts";
import { openOutput } from "../paged-output.ts";
import { toSessionJson } from "../session-json.ts";

export const command = defineCommand({
  details:
    "Goal, state, tasks, checks, the user's words, findings and files of one session, made from its entries without a " +
    "model. A brief takes its lines from it. `#12` after a line is the entry that it comes from: `carryon show ID --from 12`.",
  examples: [
    { line: "carryon digest", does: "The newest session of this project" },
    { line: "carryon digest latest --wrong 7", does: "Leave line 7 out, here and in every brief" },
    { line: "carryon digest 1feeca77 --done", does: "Take its work off the list of open work" },
    { line: "carryon digest --json", does: "Every line with its entries, for a script" },
  ],
  define: (command) =>
    command
      .argument("[id]", `${sessionHelp} (default: latest)`)
      .addOption(
        new Option("--wrong <line>", "Mark a line as wrong: its number, or a part of it").conflicts([
          "right",
          "done",
          "reopen",
        ]),
      )
      .addOption(
        new Option("--right <line>", "Take such a mark back; the lines are at the end").conflicts([
          "done",
          "reopen",
        ]),
      )
      .addOption(
        new Option("--done", "Call its work done, until something new is asked in it").conflicts(["reopen"]),
      )
      .option("--reopen", "Call its work open again")
      .option("--no-pager", "Do not page")
      .addOption(jsonOption()),
  run: async (context, [id = "latest"], { pager, json, ...given }) => {
    await catchUp(context);
    const way = ways.find((each) => given[each] !== undefined);
    if (way !== undefined)
      return writeHere(context, async (here) => {
        const session = await findHere(context, here, id);
        const { event, said } = corrections[way];
        const line = await correctDigest(here, session, { event, wanted: given[way] });
        if (json) return context.out(`${renderJson({ session: session.id, [way]: line ?? true })}\n`);
        const what = truncate(toPrintableLine(line ?? describeTitle(session)), confirmedWidth);
        context.err(`${said} ${session.id}: ${what}\n`);
      });
    const digest = await readHere(context, async (here) =>
      readDigest(here, await findHere(context, here, id)),
    );
    const output = openOutput(context, { pager: pager && !json });
    await output.write(json ? `${renderJson(toDigestJson(digest))}\n` : renderDigest(digest, context));
    await output.end();
  },
});

/** How a digest is corrected, and what is said of it. */
const corrections = {
  wrong: { event: wrongLine, said: "Marked as wrong in" },
  right: { event: rightLine, said: "No longer marked as wrong in" },
  done: { event: workDone, said: "Done until something new is asked in" },
  reopen: { event: workReopened, said: "Open again is" },
} as const;
const ways = ["wrong", "right", "done", "reopen"] as const;

/** Enough of a line to know it again. */
const confirmedWidth = 120;

/** Returns a digest in its JSON form: docs/formats/cli-json.md. */
function toDigestJson({ session, goal, status, next, sections }: SessionDigest): JsonObject {
  return {
    session: toSessionJson(session),
    goal,
    status,
    next: next ?? null,
    sections: sections.map(({ name, title, lines }) => ({
      name,
      title,
      lines: lines.map(({ number, text, sources }) => ({
        number,
        text,
        entries: sources.map(({ entry, seq, at }) => ({ id: entry, seq, at: new Date(at).toISOString() })),
      })),
    })),
  };
}

/** Wider lines are hard to read. */
const readableWidth = 100;

function renderDigest({ session, status, sections }: SessionDigest, context: CommandContext): string {
  const { style, columns, clock } = context;
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.min(columns, readableWidth);
  const facts = [session.id, describeStatus(status), describeAge(session.updatedAt, clock.now())];
  const heading = `${style.bold(toPrintableLine(describeTitle(session)))}\n${style.dim(facts.join(" · "))}\n`;
  const render = (line: NumberedLine) => renderLine(line, width, context);
  const parts = sections.map(({ title, lines }) => `\n${style.bold(title)}\n${lines.map(render).join("")}`);
  return `${heading}${parts.length === 0 ? "\nNothing is known of it yet.\n" : parts.join("")}`;
}

const numberWidth = 3;

function renderLine({ number, text, sources }: NumberedLine, width: number, context: CommandContext): string {
  const { style } = context;
  const indent = " ".repeat(numberWidth + 2);
  const entries = [...new Set(sources.map(({ seq }) => `#${seq}`))].join(" ");
  const said = `${toPrintable(text).trimEnd()}${entries === "" ? "" : ` ${entries}`}`;
  const [first = "", ...others] = wrap(said, width, indent).split("\n");
  const begin = `${style.dim(String(number).padStart(numberWidth))}  ${first.slice(indent.length)}`;
  return `${[begin, ...others].join("\n")}\n`;
}
