import { z } from "zod";
import { makeAnswer } from "../answer.ts";
import { findOwn, readRecord } from "../record/read-record.ts";
import { describeSession, showSession } from "../record/show-session.ts";
import { defineTool, reads, words } from "../tool.ts";

const mostEntries = 1_000_000_000;

export const sessionShow = defineTool({
  name: "session_show",
  title: "Read a session",
  description:
    "Reads the transcript of one session of this project: what was said, tool calls and their results. Use it to see how " +
    "something came about; `from: -20` reads the last 20 entries. An answer holds 20,000 characters and says with which " +
    "cursor to go on. Long tool calls and results are cut unless `full` is set.",
  input: {
    session: words("An id, the beginning of one, a title, or `latest`"),
    from: z
      .int()
      .min(-mostEntries)
      .max(mostEntries)
      .refine((from) => from !== 0, "Use 1, 2, 3 …, or -20 for the 20th from the end")
      .optional()
      .describe("The number of the first entry; a negative one counts from the end"),
    to: z.int().min(1).max(mostEntries).optional().describe("The number of the last entry"),
    strand: words("Only this strand: main, instructor, worker, hooks or a subagent's").optional(),
    full: z.boolean().default(false).describe("Cut nothing"),
    cursor: words("Go on where the answer before ended; the other arguments as before").optional(),
  },
  annotations: reads,
  run: ({ session: text, ...request }, call) =>
    readRecord(call, async (record) => {
      const session = await findOwn(record, text);
      const { text: quoted, next } = await showSession(record, session, request);
      const more = next === undefined ? "" : ` There is more: call again with cursor "${next}".`;
      return makeAnswer(`${describeSession(session)}${more}`, quoted);
    }),
});
