import type { Blocker } from "../blocker.ts";
import type { Validation } from "./validation.ts";

/** Tells of what stopped the work when it was saved. */
export function checkBlocker(blocker: Blocker | null): readonly Validation[] {
  if (blocker === null) return [];
  const { type, severity, description, resolution } = blocker;
  const advice = resolution === undefined ? "" : `${resolution.replace(/[.\s]*$/, "")}. `;
  return [
    {
      code: "BLOCKER_EXISTS",
      message: `The work is blocked (${type}, ${severity}): ${description.replace(/[.\s]*$/, "")}.`,
      action: `${advice}Resolve it before anything else, then say \`carryon blocker resolve\`.`,
    },
  ];
}
