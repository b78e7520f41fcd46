/**
 * The variable that says to our hooks in a client that its session begins with the brief already.
 *
 * It is for the start alone: after `/clear` or a compaction the brief has to be told anew.
 */
export const briefGiven = { name: "CARRYON_BRIEF", value: "given" } as const;
