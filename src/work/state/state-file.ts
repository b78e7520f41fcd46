import { toGitPath } from "../git-path.ts";

/** The path of the state from the top of a project. */
export const stateFile = toGitPath(".claude/session-state.json");
