import { configError } from "../lib/app-error.ts";
import { isOfProject, type OfProject, type ProjectListFile } from "./project-list.ts";

/** What an approval is for, as far as a list of approvals has to know it. */
interface ApprovedFor extends OfProject {
  readonly kind?: unknown;
  readonly name?: unknown;
}

/** The file of the approved commands, one a project and purpose; what an approval is, `work/approvals.ts` knows. */
export const approvalsList: ProjectListFile<ApprovedFor> = {
  name: "approvals.json",
  field: "approvals",
  isItem: isOfProject,
  isSame: (one, other) => one.project === other.project && one.kind === other.kind && one.name === other.name,
  isPrivate: true,
  unreadable: (path, cause) =>
    configError("bad-approvals", `${path} cannot be read as a list of approved commands.`, {
      hint: "Move it away, and approve your commands again with `carryon check allow` and `carryon recovery allow`.",
      cause,
    }),
};
