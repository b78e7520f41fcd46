import type { CliCommand } from "./define-command.ts";

/** Commands load on demand, so that each pays for nothing but itself. */
type Load = () => Promise<{ readonly command: CliCommand }>;

/** The commands by group, in the order that help shows them. A summary is imperative, without a full stop. */
const commandGroups: Readonly<
  Record<string, readonly (readonly [name: string, summary: string, load: Load])[]>
> = {
  "Start here": [
    ["tour", "See in a minute what Carryon does, in a scratch folder", () => import("./commands/tour.ts")],
    ["init", "Record what Claude Code does in this project from now on", () => import("./commands/init.ts")],
    ["uninit", "Stop recording, and take back what init wrote", () => import("./commands/uninit.ts")],
    ["trust", "Let what this repository says to Carryon count", () => import("./commands/trust.ts")],
    [
      "status",
      "Show where you are and what to do next; same as carryon alone",
      () => import("./commands/status.ts"),
    ],
  ],
  Sessions: [
    [
      "append",
      "Record messages from JSON lines, each one durable when acknowledged",
      () => import("./commands/append.ts"),
    ],
    ["sync", "Take in what Claude Code wrote since the last time", () => import("./commands/sync.ts")],
    [
      "import",
      "Take in what was exported, or the history that a client has kept",
      () => import("./commands/import.ts"),
    ],
    [
      "export",
      "Write sessions to a file, to read or to import elsewhere",
      () => import("./commands/export.ts"),
    ],
    ["push", "Send sessions to a store", () => import("./commands/push.ts")],
    ["pull", "Take sessions from a store", () => import("./commands/pull.ts")],
    ["sessions", "List the sessions of this project, newest first", () => import("./commands/sessions.ts")],
    ["show", "Show the transcript of one session", () => import("./commands/show.ts")],
    ["digest", "Show the goal, state and findings of a session", () => import("./commands/digest.ts")],
    ["search", "Find what was said and done in sessions", () => import("./commands/search.ts")],
    ["resume", "Choose a session, and go on where it stopped", () => import("./commands/resume.ts")],
    ["chat", "Talk to a model in a session that survives", () => import("./commands/chat.ts")],
    ["run", "Let an instructor direct a worker until a task is done", () => import("./commands/run.ts")],
    [
      "replay",
      "Do the task of a run over with another model, or without one",
      () => import("./commands/replay.ts"),
    ],
    [
      "fork",
      "Start a session that shares another's entries up to a point",
      () => import("./commands/fork.ts"),
    ],
    ["diff", "Compare two sessions: what they share, what each did", () => import("./commands/diff.ts")],
    ["merge", "Bring what a session lacks of another into it", () => import("./commands/merge.ts")],
    ["rename", "Give a session another title", () => import("./commands/rename.ts")],
    ["tag", "Add tags to a session, remove or list them", () => import("./commands/tag.ts")],
    ["delete", "Delete sessions for good", () => import("./commands/delete.ts")],
    [
      "relink",
      "Tell that a project has moved here from another folder",
      () => import("./commands/relink.ts"),
    ],
  ],
  Work: [
    [
      "save",
      "Save where the work stands: a commit, and the state of the tasks",
      () => import("./commands/save.ts"),
    ],
    ["load", "Go back to where the work was saved", () => import("./commands/load.ts")],
    ["blocker", "Show, put down or resolve what stops the work", () => import("./commands/blocker.ts")],
    ["check", "Approve the commands that check the work", () => import("./commands/check.ts")],
    ["recovery", "Approve the commands that clear a blocker", () => import("./commands/recovery.ts")],
    ["gate", "See and satisfy what must be done before tools may run", () => import("./commands/gate.ts")],
  ],
  Handover: [
    ["handover", "Write down what the next session must know", () => import("./commands/handover.ts")],
    ["brief", "Show what the next session must know", () => import("./commands/brief.ts")],
    ["decide", "Write a decision down, with its number", () => import("./commands/decide.ts")],
    ["decisions", "Read what was decided", () => import("./commands/decisions.ts")],
    ["note", "Note what was learned, and move notes into knowledge", () => import("./commands/note.ts")],
    [
      "mcp",
      "Serve this project to an agent over the Model Context Protocol",
      () => import("./commands/mcp.ts"),
    ],
  ],
  "Care of the store": [
    [
      "clean",
      "Delete the sessions that nothing was added to for a while",
      () => import("./commands/clean.ts"),
    ],
    ["verify", "Check that sessions are whole and unchanged", () => import("./commands/verify.ts")],
    [
      "doctor",
      "Examine the store and the hooks: what is wrong, what takes space",
      () => import("./commands/doctor.ts"),
    ],
    ["repair", "Mend damaged session files of a client", () => import("./commands/repair.ts")],
    ["backup", "Copy the whole store to a file while it is in use", () => import("./commands/backup.ts")],
    [
      "restore",
      "Make the store what a backup says, keeping what it was",
      () => import("./commands/restore.ts"),
    ],
    ["private", "Stop recording this session from now on", () => import("./commands/private.ts")],
    ["scrub", "Take a secret out of everything that is stored", () => import("./commands/scrub.ts")],
  ],
  Shell: [
    [
      "completion",
      "Print the completion script for bash, zsh or fish",
      () => import("./commands/completion.ts"),
    ],
  ],
};

export interface CommandEntry {
  readonly group: string;
  readonly summary: string;
  readonly load: Load;
}

/** The titles of the groups of commands, in the order that help shows them. */
export const groups: readonly string[] = Object.keys(commandGroups);

/** Every command by its name, in the order that help shows them. */
export const commandTable: ReadonlyMap<string, CommandEntry> = new Map(
  Object.entries(commandGroups).flatMap(([group, commands]) =>
    commands.map(([name, summary, load]) => [name, { group, summary, load }] as const),
  ),
);
