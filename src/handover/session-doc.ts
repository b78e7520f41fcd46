/** What the header of a draft says of itself. */
export const autoDraft = "auto-draft";

/** What stands for the branch while a commit is checked out and no branch is. */
export const detachedHead = "(detached HEAD)";

export const keyDecisions = "Key Decisions";
export const direction = "Direction";
const context = "Session Context";

/** Where each part stands, in the order of the document. */
export const sessionParts = [
  { at: "header", part: "generated", label: "Generated", isOptional: false },
  { at: "header", part: "branch", label: "Branch", isOptional: true },
  { at: "header", part: "goal", label: "Session Goal", isOptional: false },
  { at: "header", part: "mode", label: "Mode", isOptional: true },
  { at: "section", part: "nextAction", title: "Immediate Next Action", under: direction },
  { at: "section", part: "activeGoals", title: "Active Goals", under: direction },
  { at: "group", part: "continuing", name: "Continuing from previous sessions" },
  { at: "group", part: "added", name: "Added this session" },
  { at: "section", part: "warnings", title: "Warnings", under: direction },
  { at: "section", part: "tone", title: "Tone and Nuance", under: context },
  { at: "section", part: "exceptions", title: "Steering Exceptions", under: context },
  { at: "section", part: "accomplished", title: "Accomplished", under: undefined },
  { at: "section", part: "modifiedFiles", title: "Modified Files", under: "Accomplished" },
  { at: "section", part: "resume", title: "Resume Instructions", under: undefined },
] as const;

/** A part of the document, and where it stands. */
export type AnyPart = (typeof sessionParts)[number];

/** A line of the header; an optional one goes when it has nothing to say. */
export type HeaderPart = Extract<AnyPart, { readonly at: "header" }>;

/** A group of Key Decisions. */
export type GroupPart = Extract<AnyPart, { readonly at: "group" }>;

export type SessionPart = AnyPart["part"];

/**
 * What session.md says, part by part. Each is Markdown without the blank lines around it; an empty one is "".
 *
 * Those of the header stand on one line each. A document without a mode was polished by hand.
 */
export type SessionDoc = Readonly<Record<SessionPart, string>>;

export const emptySession = Object.fromEntries(sessionParts.map(({ part }) => [part, ""])) as SessionDoc;
