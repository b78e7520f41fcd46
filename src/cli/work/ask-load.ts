import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine, wrapTalk } from "../../lib/terminal-text.ts";
import { commitChanges } from "../../work/commit-changes.ts";
import type { SavedWork } from "../../work/commit-work.ts";
import { describeOutcome, describeTrouble } from "../../work/describe-commit.ts";
import { describeRecovery, quoteRecovery } from "../../work/describe-recovery.ts";
import { type LoadedWork, loadWork } from "../../work/load.ts";
import { describeNext, describeReturned, renderLoad } from "../../work/render-load.ts";
import { goBack, recoverWork } from "../../work/resume.ts";
import { stashChanges } from "../../work/stash-changes.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";
import { toChoice } from "../confirm.ts";
import { sayBegun } from "./say-begun.ts";
import { saySave } from "./say-save.ts";

/** Something that a person may want to do with work that was loaded. */
interface Step {
  readonly label: string;
  readonly detail: readonly string[];
  /** Returns whether there is more to ask: what was loaded may have changed by it. */
  readonly run: () => Promise<"done" | "ask-again">;
}

/** Asks what to do, the best first; each does what it says and nothing else. */
export async function askLoad(context: CommandContext, desk: WorkDesk, first: LoadedWork): Promise<void> {
  for (let loaded = first; (await askOnce(context, desk, loaded)) === "ask-again"; ) {
    const now = await loadWork(desk);
    if (now.type !== "loaded") return;
    loaded = now;
    context.out(`\n${renderLoad(context, loaded)}`);
  }
}

async function askOnce(
  context: CommandContext,
  desk: WorkDesk,
  loaded: LoadedWork,
): Promise<"done" | "ask-again"> {
  const steps = stepsFor(context, desk, loaded);
  const choices = steps.map(({ label, detail }) => toChoice(label, detail));
  const chosen = await context.choose("What now?", choices);
  const step = chosen === undefined ? undefined : steps[chosen];
  return step === undefined ? "done" : step.run();
}

function stepsFor(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): readonly Step[] {
  const codes = new Set<string>(loaded.validation.map(({ code }) => code));
  // Git itself refuses to switch in the middle of something.
  const maySwitch = desk.git !== undefined && loaded.operation === undefined && loaded.state.branch !== null;
  const hasMoved = codes.has("BRANCH_MISMATCH") || codes.has("COMMIT_MISMATCH");
  return [
    ...(codes.has("BLOCKER_EXISTS") ? [clearBlocker(context, desk)] : []),
    ...(codes.has("UNCOMMITTED_CHANGES") ? [commit(context, desk, codes), stash(context, desk)] : []),
    ...(codes.has("BRANCH_MISMATCH") && maySwitch ? [switchBranch(context, desk, loaded)] : []),
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
      for (const line of describeRecovery(recovery)) context.out(`${wrapLine(line, context.columns)}\n`);
      for (const line of quoteRecovery(recovery)) context.err(`${line}\n`);
      const isRun = recovery.type === "ran" && recovery.blockerIs === "cleared";
      return isRun || recovery.type === "settled" ? "ask-again" : "done";
    },
  };
}

/** On another branch the changes are committed there, and the state still says where the work was saved. */
function commit(context: CommandContext, desk: WorkDesk, codes: ReadonlySet<string>): Step {
  return {
    label: "Commit the changes",
    detail: ["As `carryon save` does."],
    run: async () => {
      if (codes.has("BRANCH_MISMATCH")) {
        const work = await commitChanges(desk);
        if (work !== undefined) sayCommit(context, work);
      } else await saySave(context, desk, { ...quick, commit: true });
      return "ask-again";
    },
  };
}

function sayCommit(context: CommandContext, work: SavedWork): void {
  context.out(`${toPrintableLine(`${work.branch ?? "(detached)"} ${describeOutcome(work)}`)}\n`);
  for (const line of describeTrouble(work)) context.err(`${wrapTalk(context, line)}\n`);
}

const quick = { mode: "quick", yes: false, json: false } as const;

function stash(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Stash the changes",
    detail: ["Files that git does not track stay where they are. `git stash pop` brings the rest back."],
    run: async () => {
      context.out(`${toPrintableLine(await stashChanges(desk))}\n`);
      return "ask-again";
    },
  };
}

function switchBranch(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): Step {
  return {
    label: `Switch to ${loaded.state.branch ?? ""}`,
    detail: ["Only if no change is lost by it."],
    run: async () => {
      for (const line of describeReturned(await goBack(desk, loaded)))
        context.out(`${wrapLine(line, context.columns)}\n`);
      return "ask-again";
    },
  };
}

function continueHere(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: "Continue here, and update the state",
    detail: ["Nothing is committed."],
    run: async () => {
      await saySave(context, desk, { ...quick, commit: false });
      return "done";
    },
  };
}

function goOn(context: CommandContext, loaded: LoadedWork): Step {
  const { step, recordedNext } = loaded;
  return {
    label: step === undefined ? "Continue" : `Continue with: ${step}`,
    detail: recordedNext === undefined ? [] : [recordedNext],
    run: async () => {
      context.out(`${toPrintableLine(describeNext(loaded) ?? "Go on with whatever comes next.")}\n`);
      return "done";
    },
  };
}

function chooseTask(context: CommandContext, desk: WorkDesk, { tasks }: LoadedWork): Step {
  return {
    label: "Another of the tasks",
    detail: [],
    run: async () => {
      const { pending } = tasks.tasks;
      const choices = pending.map((text) => toChoice(text));
      const chosen = await context.choose("Which task?", choices);
      const workingOn = chosen === undefined ? undefined : pending[chosen];
      if (workingOn !== undefined)
        await saySave(context, desk, { ...quick, commit: false, workingOn, next: [workingOn] });
      return "done";
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
      if (task === undefined || task.trim() === "") return "done";
      await saySave(context, desk, { ...quick, commit: true });
      await sayBegun(context, desk, task);
      return "done";
    },
  };
}
