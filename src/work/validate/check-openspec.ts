import { AppError } from "../../lib/app-error.ts";
import { isChangeId } from "../tasks/change-id.ts";
import { type InspectedChange, inspectChange } from "../tasks/inspect-change.ts";
import { listActive } from "../tasks/list-changes.ts";
import { nameFew } from "./name-few.ts";
import type { Validation } from "./validation.ts";

/** Tells whether the saved change of OpenSpec is there, and says why it is made. */
export async function checkOpenspec(root: string, id: string | null): Promise<readonly Validation[]> {
  if (id === null) return [];
  try {
    const change = await inspectChange(root, id);
    return change === undefined ? [notFound(id, await listActive(root))] : checkProposal(id, change);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ ...notFound(id, []), message: `The change ${describe(id)} cannot be read. ${error.message}` }];
  }
}

function checkProposal(id: string, { isArchived, hasProposal }: InspectedChange): readonly Validation[] {
  if (isArchived || hasProposal) return [];
  const message = `The change ${id} has no proposal.md, so that nothing says why it is made.`;
  return [
    { code: "PROPOSAL_MISSING", message, action: "Write it, or get it back from git, before you go on." },
  ];
}

function notFound(id: string, active: readonly string[]): Validation {
  const others = active.length === 0 ? "" : ` There is ${nameFew(active)}.`;
  return {
    code: "OPENSPEC_NOT_FOUND",
    message: `The change ${describe(id)} is not in openspec/changes, nor archived there.${others}`,
    action: "Name another with `carryon save --openspec ID`, or begin a new task.",
  };
}

function describe(id: string): string {
  return isChangeId(id) ? id : "that was saved";
}
