import { usageError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { suggest } from "../lib/suggest.ts";
import type { Project, ProjectId, Projects } from "../sessions/project.ts";
import type { OpenProject } from "./open-project.ts";

export interface ProjectChoice {
  readonly project?: string | undefined;
  readonly all?: true | undefined;
}

/** Whose sessions are meant: one project's, everybody's, or those of a project that has none yet. */
export type Scope = { readonly project?: ProjectId } | "nothing";

/** Returns whose sessions the options `--project` and `--all` mean; without them, those of the current folder. */
export async function chooseProject(
  here: Pick<OpenProject, "store" | "project">,
  choice: ProjectChoice,
): Promise<Scope> {
  if (choice.all) return {};
  if (choice.project !== undefined) {
    return { project: (await findProject(here.store.projects, choice.project)).id };
  }
  return here.project === undefined ? "nothing" : { project: here.project.id };
}

async function findProject(projects: Projects, text: string): Promise<Project> {
  const [found, ...others] = await projects.called(text);
  if (found !== undefined && others.length === 0) return found;
  const shown = JSON.stringify(text.slice(0, 80));
  if (found !== undefined) {
    throw usageError("ambiguous-project", `More than one project is called ${shown}.`, {
      hint: `Give the id of one of these:\n${[found, ...others].map(({ id }) => `  ${id}`).join("\n")}`,
    });
  }
  const names = (await projects.list()).map(({ name }) => name);
  const near = suggest(text, names);
  throw usageError("project-not-found", `There is no project ${shown} in this store.`, {
    hint:
      near.length === 0 ? describeNames(names) : `Did you mean ${near.map(toPrintableLine).join(", or ")}?`,
  });
}

/** More are listed elsewhere. */
const mostNames = 10;

/** The store may be another one than that of this machine, so that they are told here if they are few. */
function describeNames(names: readonly string[]): string {
  if (names.length === 0 || names.length > mostNames) return "`carryon doctor --usage` lists the projects.";
  return `It has ${names.map(toPrintableLine).join(", ")}.`;
}
