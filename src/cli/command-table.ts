import { careCommands } from "./care-commands.ts";
import type { CommandEntry } from "./command-entry.ts";

/** Every command, in the order of the list that help shows. */
export const commandTable: ReadonlyMap<string, CommandEntry> = new Map<string, CommandEntry>([
  [
    "tour",
    {
      group: "Start here",
      summary: "See in a minute what Carryon does, in a scratch folder",
      load: () => import("./commands/tour.ts"),
    },
  ],
  [
    "init",
    {
      group: "Start here",
      summary: "Record what Claude Code does in this project from now on",
      load: () => import("./commands/init.ts"),
    },
  ],
  [
    "uninit",
    {
      group: "Start here",
      summary: "Stop recording, and take back what init wrote",
      load: () => import("./commands/uninit.ts"),
    },
  ],
  [
    "trust",
    {
      group: "Start here",
      summary: "Let what this repository says to Carryon count",
      load: () => import("./commands/trust.ts"),
    },
  ],
  [
    "status",
    {
      group: "Start here",
      summary: "Show where you are and what to do next; same as carryon alone",
      load: () => import("./commands/status.ts"),
    },
  ],
  [
    "append",
    {
      group: "Sessions",
      summary: "Record messages from JSON lines, each one durable when acknowledged",
      load: () => import("./commands/append.ts"),
    },
  ],
  [
    "sync",
    {
      group: "Sessions",
      summary: "Take in what Claude Code wrote since the last time",
      load: () => import("./commands/sync.ts"),
    },
  ],
  [
    "import",
    {
      group: "Sessions",
      summary: "Take in what was exported, or the history that a client has kept",
      load: () => import("./commands/import.ts"),
    },
  ],
  [
    "export",
    {
      group: "Sessions",
      summary: "Write sessions to a file, to read or to import elsewhere",
      load: () => import("./commands/export.ts"),
    },
  ],
  [
    "push",
    { group: "Sessions", summary: "Send sessions to a store", load: () => import("./commands/push.ts") },
  ],
  [
    "pull",
    { group: "Sessions", summary: "Take sessions from a store", load: () => import("./commands/pull.ts") },
  ],
  [
    "sessions",
    {
      group: "Sessions",
      summary: "List the sessions of this project, newest first",
      load: () => import("./commands/sessions.ts"),
    },
  ],
  [
    "show",
    {
      group: "Sessions",
      summary: "Show the transcript of one session",
      load: () => import("./commands/show.ts"),
    },
  ],
  [
    "search",
    {
      group: "Sessions",
      summary: "Find what was said and done in sessions",
      load: () => import("./commands/search.ts"),
    },
  ],
  [
    "resume",
    {
      group: "Sessions",
      summary: "Choose a session, and go on where it stopped",
      load: () => import("./commands/resume.ts"),
    },
  ],
  [
    "chat",
    {
      group: "Sessions",
      summary: "Talk to a model in a session that survives",
      load: () => import("./commands/chat.ts"),
    },
  ],
  [
    "run",
    {
      group: "Sessions",
      summary: "Let an instructor direct a worker until a task is done",
      load: () => import("./commands/run.ts"),
    },
  ],
  [
    "replay",
    {
      group: "Sessions",
      summary: "Do the task of a run over with another model, or without one",
      load: () => import("./commands/replay.ts"),
    },
  ],
  [
    "fork",
    {
      group: "Sessions",
      summary: "Start a session that shares another's entries up to a point",
      load: () => import("./commands/fork.ts"),
    },
  ],
  [
    "diff",
    {
      group: "Sessions",
      summary: "Compare two sessions: what they share, what each did",
      load: () => import("./commands/diff.ts"),
    },
  ],
  [
    "merge",
    {
      group: "Sessions",
      summary: "Bring what a session lacks of another into it",
      load: () => import("./commands/merge.ts"),
    },
  ],
  [
    "rename",
    {
      group: "Sessions",
      summary: "Give a session another title",
      load: () => import("./commands/rename.ts"),
    },
  ],
  [
    "tag",
    {
      group: "Sessions",
      summary: "Add tags to a session, remove or list them",
      load: () => import("./commands/tag.ts"),
    },
  ],
  [
    "delete",
    { group: "Sessions", summary: "Delete sessions for good", load: () => import("./commands/delete.ts") },
  ],
  [
    "relink",
    {
      group: "Sessions",
      summary: "Tell that a project has moved here from another folder",
      load: () => import("./commands/relink.ts"),
    },
  ],
  [
    "save",
    {
      group: "Work",
      summary: "Save where the work stands: a commit, and the state of the tasks",
      load: () => import("./commands/save.ts"),
    },
  ],
  [
    "load",
    {
      group: "Work",
      summary: "Go back to where the work was saved",
      load: () => import("./commands/load.ts"),
    },
  ],
  [
    "blocker",
    {
      group: "Work",
      summary: "Show, put down or resolve what stops the work",
      load: () => import("./commands/blocker.ts"),
    },
  ],
  [
    "check",
    {
      group: "Work",
      summary: "Approve the commands that check the work",
      load: () => import("./commands/check.ts"),
    },
  ],
  [
    "recovery",
    {
      group: "Work",
      summary: "Approve the commands that clear a blocker",
      load: () => import("./commands/recovery.ts"),
    },
  ],
  [
    "gate",
    {
      group: "Work",
      summary: "See and satisfy what must be done before tools may run",
      load: () => import("./commands/gate.ts"),
    },
  ],
  [
    "handover",
    {
      group: "Handover",
      summary: "Write down what the next session must know",
      load: () => import("./commands/handover.ts"),
    },
  ],
  [
    "brief",
    {
      group: "Handover",
      summary: "Show what the next session must know",
      load: () => import("./commands/brief.ts"),
    },
  ],
  [
    "decide",
    {
      group: "Handover",
      summary: "Write a decision down, with its number",
      load: () => import("./commands/decide.ts"),
    },
  ],
  [
    "decisions",
    {
      group: "Handover",
      summary: "Read what was decided",
      load: () => import("./commands/decisions.ts"),
    },
  ],
  [
    "note",
    {
      group: "Handover",
      summary: "Note what was learned, and move notes into knowledge",
      load: () => import("./commands/note.ts"),
    },
  ],
  [
    "mcp",
    {
      group: "Handover",
      summary: "Serve this project to an agent over the Model Context Protocol",
      load: () => import("./commands/mcp.ts"),
    },
  ],
  ...careCommands,
  [
    "completion",
    {
      group: "Shell",
      summary: "Print the completion script for bash, zsh or fish",
      load: () => import("./commands/completion.ts"),
    },
  ],
]);
