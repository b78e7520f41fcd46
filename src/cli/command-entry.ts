import type { CliCommand } from "./define-command.ts";

export const groups = ["Start here", "Sessions", "Work", "Handover", "Care of the store", "Shell"] as const;

/** What the list of commands says of a command, and where its module is. */
export interface CommandEntry {
  readonly group: (typeof groups)[number];
  /** Imperative, no full stop. */
  readonly summary: string;
  /** Commands load on demand, so that each pays for nothing but itself. */
  readonly load: () => Promise<{ readonly command: CliCommand }>;
}
