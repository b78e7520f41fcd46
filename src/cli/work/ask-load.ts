import { toPrintableLine } from "../../lib/printable.ts";
import type { LoadedWork } from "../../project/work/load.ts";
import { goBack, recoverWork } from "../../project/work/resume.ts";
import { stashChanges } from "../../project/work/stash-changes.ts";
import type { WorkDesk } from "../../project/work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";
import { describeRecovery, describeReturned } from "./render-load.ts";
import { sayBegun } from "./say-begun.ts";
import { saySave } from "./say-save.ts";

/** Something that a person may want to do with work that was loaded. */
interface Step {
  readonly label: string;
  readonly detail: readonly string[];
  readonly run: () => Promise<void>;
}

/** Asks what to do, the best first; each does what it says and nothing else. */
export async function askLoad(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): Promise<void> {
  const steps = stepsFor(context, desk, loaded);
  const choices = steps.map(({ label, detail }) => ({
    label: toPrintableLine(label),
    detail: detail.map(toPrintableLine),
    words: label,
    refusal: undefined,
  }));
  const chosen = await context.choose("What now?", choices);
  if (chosen !== undefined) await steps[chosen]?.run();
}

function stepsFor(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): readonly Step[] {
  const codes = new Set<string>(loaded.validation.map(({ code }) => code));
  const hasMoved = codes.has("BRANCH_MISMATCH") || codes.has("COMMIT_MISMATCH");
  return [
    ...(codes.has("BLOCKER_EXISTS") ? [clearBlocker(context, desk)] : []),
    ...(codes.has("UNCOMMITTED_CHANGES") ? [commitChanges(context, desk), stash(context, desk)] : []),
    ...(codes.has("BRANCH_MISMATCH") && loaded.state.branch !== null
      ? [switchBranch(context, desk, loaded)]
      : []),
    ...(hasMoved ? [continueHere(context, desk)] : []),
    goOn(context, loaded),
    ...(loaded.tasks.tasks.pending.length > 1 ? [chooseTask(context, desk, loaded)] : []),
    newTask(context, desk),
  ];
}

function clearBlocker(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Resolve the blocker first",
    detail: ["Runs the command that you have approved for it, or says what to do."],
    run: async () => {
      const signal = context.catchSignals();
      const recovery = await recoverWork(desk, { isUnderAgent: false, signal });
      for (const line of describeRecovery(recovery)) context.out(`${line}\n`);
    },
  };
}

function commitChanges(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Commit the changes",
    detail: ["As `carryon save` does."],
    run: () => saySave(context, desk, { mode: "quick", commit: true, yes: false, json: false }),
  };
}

function stash(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Stash the changes",
    detail: ["Files that git does not track stay where they are. `git stash pop` brings the rest back."],
    run: async () => context.out(`${toPrintableLine(await stashChanges(desk))}\n`),
  };
}

function switchBranch(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): Step {
  return {
    label: `Switch to ${loaded.state.branch ?? ""}`,
    detail: ["Only if no change is lost by it."],
    run: async () => {
      for (const line of describeReturned(await goBack(desk, loaded))) context.out(`${line}\n`);
    },
  };
}

function continueHere(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Continue here, and update the state",
    detail: ["Nothing is committed."],
    run: () => saySave(context, desk, { mode: "quick", commit: false, yes: false, json: false }),
  };
}

function goOn(context: CommandContext, { next }: LoadedWork): Step {
  const task = next ?? "";
  return {
    label: task === "" ? "Continue" : `Continue with: ${task}`,
    detail: [],
    run: async () =>
      context.out(`Go on with: ${toPrintableLine(task === "" ? "whatever comes next" : task)}\n`),
  };
}

function chooseTask(context: CommandContext, desk: WorkDesk, { tasks }: LoadedWork): Step {
  return {
    label: "Another of the tasks",
    detail: [],
    run: async () => {
      const { pending } = tasks.tasks;
      const choices = pending.map((text) => ({
        label: toPrintableLine(text),
        detail: [],
        words: text,
        refusal: undefined,
      }));
      const chosen = await context.choose("Which task?", choices);
      const workingOn = chosen === undefined ? undefined : pending[chosen];
      if (workingOn === undefined) return;
      await saySave(context, desk, {
        mode: "quick",
        commit: false,
        workingOn,
        next: [workingOn],
        yes: false,
        json: false,
      });
    },
  };
}

function newTask(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "A new task",
    detail: ["What was saved stays in the log as a checkpoint."],
    run: async () => {
      const message = "What is the new task?";
      const task = await context.askText({ message, initial: "", lines: "one" });
      if (task === undefined || task.trim() === "") return;
      await saySave(context, desk, { mode: "quick", commit: true, yes: false, json: false });
      await sayBegun(context, desk, task);
    },
  };
}
