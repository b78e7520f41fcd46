import { ran } from "./recorded-work.ts";
import { openWork, type Work } from "./work-project.ts";

export const change = "openspec/changes/user-auth";
export const tasks = "- [x] 1.1 Form\n- [x] 1.2 Session\n- [ ] 1.3 Logout\n- [ ] 1.4 Docs\n";

/** A project with a change of OpenSpec, on its branch, as the document of the work state has it. */
export async function openSeedWork(): Promise<Work> {
  const work = await openWork();
  await work.git("checkout", "-qb", "feature/user-auth");
  await work.write({ [`${change}/proposal.md`]: "# Log in\n", [`${change}/tasks.md`]: tasks });
  return work;
}

let sessions = 0;

/** The call of a tool that ended a moment ago. */
function record(work: Work, call: Parameters<typeof ran>[1]): Promise<void> {
  sessions += 1;
  return work.record(`s${sessions}`, ran(new Date(Date.now() - 1000), call));
}

/** Records that Claude Code ran a command. */
export const run = (work: Work, command: string, output = "", failed = false): Promise<void> =>
  record(work, { input: { command }, output, failed });

/** Records what an agent reported at the end of its work. */
export function report(work: Work, agent: string, status: string, context: string): Promise<void> {
  const output = `[WORKFLOW_STATUS]\nstatus: ${status}\ncontext: ${context}\n[/WORKFLOW_STATUS]`;
  return record(work, { name: "Task", input: { subagent_type: agent, prompt: "Do it." }, output });
}

/** Saves, and returns the blocker that the file has. */
export async function blockerAfterSave(work: Work) {
  await work.call(["save"]);
  return (await work.state()).blocker;
}
