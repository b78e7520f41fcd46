import { exportFormats } from "../../../formats/export-sessions.ts";
import { usageError } from "../../../lib/app-error.ts";
import { toPrintable, toPrintableLine } from "../../../lib/printable.ts";
import { suggest } from "../../../lib/suggest.ts";
import { padEnd, wrap } from "../../../lib/terminal-text.ts";
import { findHere, readHere } from "../../../workspace/open-here.ts";
import type { ExportRequest } from "../../formats/export-to-file.ts";
import { usualLimit } from "../../list-sessions.ts";
import { answerWith, askWith, type ChatCommand, type CommandJob } from "./chat-command.ts";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["Enter", "Send"],
  ["Alt+Enter", "Begin a new line; so do Shift+Enter, Ctrl+J, and Enter behind a \\"],
  ["Up, Down", "Go through what was typed before"],
  ["Ctrl+R", "Search what was typed before"],
  ["Tab", "Complete a command, an id, or the name of a file"],
  ["Ctrl+C", "Stop the reply; clear the line; twice on an empty line, leave"],
  ["Ctrl+D", "Leave, on an empty line"],
  ["Ctrl+Z", "Suspend; fg comes back"],
];

/** Lists the commands of a chat, and on a terminal its keys. */
function renderChatHelp(commands: readonly ChatCommand[], columns: number | undefined): string {
  const rows = commands.map(({ name, takes, summary }) => [`/${name} ${takes}`.trimEnd(), summary] as const);
  const shown = columns === undefined ? rows : [...rows, ["", ""] as const, ...keys];
  const width = Math.max(...shown.map(([name]) => name.length));
  const slash = "What begins with two slashes is said to the model with one.";
  return [...shown.map(([name, does]) => renderRow(name, does, width, columns)), "", slash].join("\n");
}

function renderRow(name: string, does: string, width: number, columns: number | undefined): string {
  const beside = padEnd(name, width + 2);
  if (columns === undefined) return (beside + does).trimEnd();
  const [first = "", ...others] = wrap(does, columns, " ".repeat(width + 2)).split("\n");
  return [(beside + first.slice(width + 2)).trimEnd(), ...others].join("\n");
}

/** Everything that can be typed behind a slash, in the order of help. */
export const chatCommands: readonly ChatCommand[] = [
  {
    ...{ name: "help", takes: "", summary: "Show the commands and the keys" },
    run: async ({ face }) => {
      face.answer(renderChatHelp(chatCommands, face.columns));
      return "stay";
    },
  },
  {
    ...{ name: "sessions", takes: "", summary: "List the sessions of this project" },
    run: async (job) => {
      const { sayList } = await import("../../list-sessions.ts");
      const request = { choice: {}, query: { limit: usualLimit }, json: false };
      await answerWith(job, (context) => sayList(context, request));
      return "stay";
    },
  },
  {
    ...{ name: "save", takes: "", summary: "Save now what is typed and not sent yet; all else is saved" },
    run: async ({ setting, face }) => {
      const draft = face.draft();
      await setting.chat.save(draft);
      const isEmpty = draft.input === "" && setting.chat.recent(1).length === 0;
      face.note(
        isEmpty
          ? "There is nothing to save yet: a session begins with the first message."
          : `Session saved: ${setting.chat.status.session}`,
      );
      return "stay";
    },
  },
  {
    ...{ name: "load", takes: "ID", summary: "Save this session and go on in another" },
    run: async (job) => {
      const { setting, face, rest } = job;
      const { context } = setting;
      const { id } = await readHere(context, (here) => findHere(context, here, rest));
      const restored = await setting.chat.load(id, face.draft());
      face.showSession(restored);
      return "stay";
    },
  },
  {
    ...{ name: "reset", takes: "", summary: "Save, and begin anew in this session; the log keeps all" },
    run: async ({ setting, face }) => {
      await setting.chat.reset(face.draft());
      face.note(
        `The model sees nothing of what was said before. \`carryon show ${setting.chat.status.session}\` does.`,
      );
      return "stay";
    },
  },
  {
    ...{ name: "fork", takes: "[N]", summary: "Go on in a session that shares this one, up to entry N" },
    run: async ({ setting, face, rest }) => {
      const from = setting.chat.status.session;
      const at = parseEntryNumber(rest);
      const id = await setting.chat.fork(at, face.draft());
      // Without a number, all that is on the screen is in it.
      if (at !== undefined) face.showSession(setting.chat.restored);
      face.note(`Forked from ${from}: this is ${id}`);
      return "stay";
    },
  },
  {
    ...{ name: "diff", takes: "ID", summary: "Compare this session with another" },
    run: async (job) => {
      const { showDiff } = await import("../../diff/show-diff.ts");
      const [left, right] = [job.setting.chat.status.session, job.rest];
      await answerWith(job, (context) => showDiff(context, { left, right }));
      return "stay";
    },
  },
  {
    ...{ name: "title", takes: "TEXT", summary: "Give this session a title" },
    run: async ({ setting, face, rest }) => {
      await setting.chat.rename(rest);
      face.note(`The title is now “${toPrintableLine(setting.chat.status.title)}”.`);
      return "stay";
    },
  },
  {
    ...{ name: "model", takes: "[M]", summary: "Talk to another model, or show which one it is" },
    run: async ({ setting, face, rest }) => {
      if (rest !== "") await setting.chat.useModel(rest);
      const { model } = setting.chat.status;
      face.note(rest === "" ? `The model is ${model}.` : `The model is now ${model}.`);
      return "stay";
    },
  },
  {
    ...{ name: "compact", takes: "", summary: "Let a summary stand for the older messages" },
    run: async ({ setting, face, signal }) => {
      const summary = await setting.chat.compact(signal);
      if (summary === undefined) face.note("There is too little to summarise.");
      else {
        face.note("For the model, this now stands for the older messages. All of them stay in the log.");
        face.answer(toPrintable(summary));
      }
      return "stay";
    },
  },
  {
    ...{
      name: "export",
      takes: "FMT FILE",
      summary: `Write this session to a file: ${exportFormats.join(", ")}`,
    },
    run: async (job) => {
      const { exportToFile } = await import("../../formats/export-to-file.ts");
      await answerWith(job, (context) => exportToFile(context, toExportRequest(job)));
      return "stay";
    },
  },
  {
    ...{ name: "handover", takes: "", summary: "Write down what the next session must know" },
    run: async (job) => {
      const { sayPolish } = await import("../../handover/say-polish.ts");
      const { session } = job.setting.chat.status;
      const run = job.face.columns === undefined ? answerWith : askWith;
      await run(job, (context) => sayPolish(context, { session }, { files: [], ask: true }));
      return "stay";
    },
  },
  { name: "quit", takes: "", summary: "Save and leave", run: async () => "leave" },
];

/** Finds a command by its name, or throws with those that may have been meant. */
export function findChatCommand(name: string): ChatCommand {
  const found = chatCommands.find((command) => command.name === (aliases.get(name) ?? name));
  if (found !== undefined) return found;
  const near = suggest(
    name,
    chatCommands.map((command) => command.name),
  );
  const meant = near.length === 0 ? "List them with /help." : `Did you mean /${near.join(", or /")}?`;
  throw usageError("unknown-chat-command", `There is no command /${name.slice(0, 80)}.`, {
    hint: `${meant} What is no command begins with two slashes.`,
  });
}

/** What other programs have people used to. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["exit", "quit"],
  ["?", "help"],
]);

function parseEntryNumber(text: string): number | undefined {
  if (text === "") return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw usageError("bad-number", `${JSON.stringify(text.slice(0, 40))} is not the number of an entry.`, {
    hint: "Use 1, 2, 3 …; `carryon show` tells the numbers.",
  });
}

/** What is typed behind /export: a format, which the name of the file may stand for, the file, and `--force` to replace it. */
function toExportRequest({ setting, rest }: CommandJob): ExportRequest {
  const force = / --force$/.test(rest);
  const words = rest.replace(/ --force$/, "");
  const [, first = "", others = ""] = /^(\S+)\s*(.*)$/s.exec(words) ?? [];
  const format = exportFormats.find((each) => each === first);
  const isFormat = format !== undefined;
  if (!isFormat && others !== "" && /^[a-z-]+$/.test(first))
    throw usageError("bad-chat-command", `There is no format ${JSON.stringify(first.slice(0, 40))}.`, {
      hint: `Use one of ${exportFormats.join(", ")}, and then the name of the file.`,
    });
  if (isFormat && others === "")
    throw usageError("bad-chat-command", "/export needs the name of a file.", {
      hint: "Type it behind the format, such as /export md talk.md",
    });
  const file = (isFormat ? others : words).replace(/^~(?=\/)/, setting.context.userHome);
  return { ids: [setting.chat.status.session], format, output: file, force };
}
