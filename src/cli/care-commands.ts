import type { CommandEntry } from "./command-entry.ts";

/** The commands that look after the store, in their order. */
export const careCommands: readonly (readonly [name: string, entry: CommandEntry])[] = [
  [
    "clean",
    {
      group: "Care of the store",
      summary: "Delete the sessions that nothing was added to for a while",
      load: () => import("./commands/clean.ts"),
    },
  ],
  [
    "verify",
    {
      group: "Care of the store",
      summary: "Check that sessions are whole and unchanged",
      load: () => import("./commands/verify.ts"),
    },
  ],
  [
    "doctor",
    {
      group: "Care of the store",
      summary: "Examine the store and the hooks: what is wrong, what takes space",
      load: () => import("./commands/doctor.ts"),
    },
  ],
  [
    "backup",
    {
      group: "Care of the store",
      summary: "Copy the whole store to a file while it is in use",
      load: () => import("./commands/backup.ts"),
    },
  ],
  [
    "restore",
    {
      group: "Care of the store",
      summary: "Make the store what a backup says, keeping what it was",
      load: () => import("./commands/restore.ts"),
    },
  ],
  [
    "scrub",
    {
      group: "Care of the store",
      summary: "Take a secret out of everything that is stored",
      load: () => import("./commands/scrub.ts"),
    },
  ],
];
