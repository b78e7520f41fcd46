/**
 * What session.md says, part by part. Each is Markdown without the blank lines around it; an empty one is "".
 *
 * The first four stand in the header, on one line each. A document without a mode was polished by hand.
 */
export interface SessionDoc {
  readonly generated: string;
  readonly branch: string;
  readonly goal: string;
  readonly mode: string;
  readonly nextAction: string;
  readonly activeGoals: string;
  readonly continuing: string;
  readonly added: string;
  readonly warnings: string;
  readonly tone: string;
  readonly exceptions: string;
  readonly accomplished: string;
  readonly modifiedFiles: string;
  readonly resume: string;
}

export type SessionPart = keyof SessionDoc;

/** What the header of a draft says of itself. */
export const autoDraft = "auto-draft";

/** What stands for the branch while a commit is checked out and no branch is. */
export const detachedHead = "(detached HEAD)";

export const emptySession: SessionDoc = {
  generated: "",
  branch: "",
  goal: "",
  mode: "",
  nextAction: "",
  activeGoals: "",
  continuing: "",
  added: "",
  warnings: "",
  tone: "",
  exceptions: "",
  accomplished: "",
  modifiedFiles: "",
  resume: "",
};

/** A line of the header. */
export interface HeaderPart {
  readonly at: "header";
  readonly part: SessionPart;
  readonly label: string;
  /** Whether the line goes when it has nothing to say. */
  readonly isOptional: boolean;
}

/** The body of a section. */
export interface SectionPart {
  readonly at: "section";
  readonly part: SessionPart;
  readonly title: string;
  /** The section that it is part of, unless it stands alone. */
  readonly under: string | undefined;
}

/** A group of Key Decisions. */
export interface GroupPart {
  readonly at: "group";
  readonly part: SessionPart;
  readonly name: string;
}

export const keyDecisions = "Key Decisions";
export const direction = "Direction";
const context = "Session Context";

/** Where each part stands, in the order of the document. */
export const sessionParts: readonly (HeaderPart | SectionPart | GroupPart)[] = [
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
];
