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
import { say } from "../phrases.ts";
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
  const chosen = await context.choose(say(context, "load.what"), choices);
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
    label: say(context, "load.blocker"),
    detail: [say(context, "load.blocker.detail")],
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
    label: say(context, "load.commit"),
    detail: [say(context, "load.commit.detail")],
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
    label: say(context, "load.stash"),
    detail: [say(context, "load.stash.detail")],
    run: async () => {
      context.out(`${toPrintableLine(await stashChanges(desk))}\n`);
      return "ask-again";
    },
  };
}

function switchBranch(context: CommandContext, desk: WorkDesk, loaded: LoadedWork): Step {
  return {
    label: say(context, "load.switch", { branch: loaded.state.branch ?? "" }),
    detail: [say(context, "load.switch.detail")],
    run: async () => {
      for (const line of describeReturned(await goBack(desk, loaded)))
        context.out(`${wrapLine(line, context.columns)}\n`);
      return "ask-again";
    },
  };
}

function continueHere(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: say(context, "load.here"),
    detail: [say(context, "load.here.detail")],
    run: async () => {
      await saySave(context, desk, { ...quick, commit: false });
      return "done";
    },
  };
}

function goOn(context: CommandContext, loaded: LoadedWork): Step {
  const { step, recordedNext } = loaded;
  return {
    label: step === undefined ? say(context, "load.continue") : say(context, "load.continue.with", { step }),
    detail: recordedNext === undefined ? [] : [recordedNext],
    run: async () => {
      context.out(`${toPrintableLine(describeNext(loaded) ?? "Go on with whatever comes next.")}\n`);
      return "done";
    },
  };
}

function chooseTask(context: CommandContext, desk: WorkDesk, { tasks }: LoadedWork): Step {
  return {
    label: say(context, "load.other"),
    detail: [],
    run: async () => {
      const { pending } = tasks.tasks;
      const choices = pending.map((text) => toChoice(text));
      const chosen = await context.choose(say(context, "load.which"), choices);
      const workingOn = chosen === undefined ? undefined : pending[chosen];
      if (workingOn !== undefined)
        await saySave(context, desk, { ...quick, commit: false, workingOn, next: [workingOn] });
      return "done";
    },
  };
}

function newTask(context: CommandContext, desk: WorkDesk): Step {
  return {
    label: say(context, "load.new"),
    detail: [say(context, "load.new.detail")],
    run: async () => {
      const message = say(context, "load.new.which");
      const task = await context.askText({ message, initial: "", lines: "one" });
      if (task === undefined || task.trim() === "") return "done";
      await saySave(context, desk, { ...quick, commit: true });
      await sayBegun(context, desk, task);
      return "done";
    },
  };
}
