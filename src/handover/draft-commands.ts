/** The commands after which a draft is made. */
export const draftCommands = ["design", "impl", "review", "roadmap", "steering"] as const;

const anyCommand = new RegExp(`^(?:.+:)?(?:sdd-)?(?:${draftCommands.join("|")})$`);

/** Tells whether a draft is made after a command, whatever plugin it comes from. */
export function isDraftCommand(name: string): boolean {
  return anyCommand.test(name.replace(/^\//, ""));
}
