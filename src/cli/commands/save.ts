import { Option } from "@commander-js/extra-typings";
import { describePath } from "../../git/git-path.ts";
import type { PushPlan, PushTarget } from "../../git/push.ts";
import { usageError } from "../../lib/app-error.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine } from "../../lib/terminal-text.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { describeLeftOut } from "../../work/describe-left-out.ts";
import { type PreviewedFile, previewSave, type SavePreview } from "../../work/preview-save.ts";
import { reasons } from "../../work/push-trouble.ts";
import { renderFact } from "../../work/render-work.ts";
import type { SaveRequest } from "../../work/save.ts";
import { toLeftOutJson } from "../../work/save-json.ts";
import { locatePlace } from "../../workspace/recognise-project.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { collect, defineCommand, jsonOption } from "../define-command.ts";
import { saySave } from "../work/say-save.ts";
import { workHere } from "../work/work-here.ts";

export const command = defineCommand({
  details:
    "Commits the work tree as a checkpoint, with your hooks, and writes .claude/session-state.json: branch, commit, tasks, next " +
    "steps and what stops the work, which is found in what was recorded. Ignored files, likely secrets, new .env files and " +
    "files over 5 MB are left out and named; what you have staged of them stays staged. In the middle of a merge or rebase " +
    "nothing is committed. The default branch is pushed to only with --yes or after a question.",
  examples: [
    { line: "carryon save", does: "A checkpoint: commit and state" },
    { line: 'carryon save -m "Login form" --next "Its tests"', does: "Say what you are at" },
    { line: "carryon save --sync", does: "At the end of the day: push as well" },
    { line: "carryon save --full", does: "At the end of a task: run the approved checks as well" },
  ],
  define: (command) =>
    command
      .addOption(new Option("--sync", "Push as well").conflicts(["full"]))
      .addOption(new Option("--full", "Push, and run the checks that you have approved"))
      .option("-m, --message <text>", "What is being worked on (default: the next task)")
      .option("--next <text>", "What comes next; may be repeated", collect)
      .option("--openspec <id>", "The change of OpenSpec that is worked on")
      .option("--done <text>", "A task that is done; may be repeated", collect)
      .option("--todo <text>", "A task that is left; may be repeated", collect)
      .option("--new <task>", "Then begin with another task; what was saved stays in the log")
      .option("--no-commit", "Write the state only")
      .addOption(
        new Option("--dry-run", "Say what would be committed, left out and pushed; write nothing").conflicts([
          "new",
        ]),
      )
      .option("--yes", "Push to the default branch without asking")
      .addOption(jsonOption()),
  run: async (context, _args, options) => {
    refuseEmpty(options);
    const { sync, full, message, openspec, new: begin, yes = false, json = false, dryRun, ...rest } = options;
    const mode = full ? "full" : sync ? "sync" : "quick";
    // Before anything that writes, be it to the store.
    if (dryRun) return sayPreview(context, { mode, commit: rest.commit, yes, json });
    await catchUp(context);
    const request = { ...rest, mode, workingOn: message, change: openspec, begin, yes, json } as const;
    await workHere(context, (desk) => saySave(context, desk, request));
  },
});

type Words = string | readonly string[] | undefined;

/** Refuses options without words before anything is saved: they would say that there is nothing to do. */
function refuseEmpty(
  options: Readonly<Partial<Record<"message" | "next" | "new" | "done" | "todo", Words>>>,
): void {
  for (const name of ["message", "next", "new", "done", "todo"] as const) {
    const words = options[name] ?? [];
    const texts = typeof words === "string" ? [words] : words;
    if (texts.every((text) => text.trim() !== "")) continue;
    throw usageError("empty-words", `--${name} needs words.`, {
      hint: "Say it in a few words, or leave the option out.",
    });
  }
}

/** What a save is asked for, and how it is told. */
interface PreviewOptions extends Pick<SaveRequest, "mode" | "commit"> {
  readonly yes: boolean;
  readonly json: boolean;
}

const mostShown = 20;

/** Says what a save would do, and does nothing. */
async function sayPreview(context: CommandContext, options: PreviewOptions): Promise<void> {
  const preview = await previewSave(await locatePlace(context.cwd), context, options);
  if (options.json) return context.out(`${renderJson(toPreviewJson(preview))}\n`);
  context.out(render(context, preview, options));
}

function render(context: CommandContext, preview: SavePreview, options: PreviewOptions): string {
  const { outcome, found, files, push } = preview;
  const fact = (name: string, text: string) => renderFact(context, name, toPrintableLine(text));
  const list = (name: string, lines: readonly string[]) => renderList(context, name, lines);
  return [
    `${wrapLine("Nothing is saved. This is what would be done:", context.columns)}\n`,
    fact("Branch", `${describeBranch(found)}${describeOutcome(preview)}`),
    ...(outcome.type === "would-commit" ? list("Commit", files.map(describeFile)) : []),
    ...list("Conflict", found?.conflicts.map((path) => toPrintableLine(describePath(path))) ?? []),
    ...list("Left out", found?.leftOut.map(describeLeftOut) ?? []),
    ...(push === undefined ? [] : [fact("Push", describePlan(push, options))]),
    ...(options.mode === "full" ? [fact("Checks", "those that you have approved would be run")] : []),
  ].join("");
}

function describeBranch(found: SavePreview["found"]): string {
  if (found === undefined) return "";
  const at = found.head === undefined ? "no commit yet" : `at ${found.head.slice(0, 12)}`;
  return `${found.branch ?? "(detached)"} ${at}, `;
}

function describeOutcome({ outcome, files }: SavePreview): string {
  switch (outcome.type) {
    case "would-commit":
      return `${plural(files.length, "change")} would be committed`;
    case "unchanged":
      return "nothing to commit";
    case "not-wanted":
      return "no commit is wanted";
    case "no-repository":
      return "none: this is no repository, and only the state would be written";
    case "in-progress":
      return `no commit: a ${outcome.operation} is in progress`;
    case "conflicts":
      return "no commit: files are in conflict";
  }
}

function describeFile({ path, isDeleted }: PreviewedFile): string {
  return toPrintableLine(`${describePath(path)}${isDeleted ? " (deleted)" : ""}`);
}

function renderList(context: CommandContext, name: string, lines: readonly string[]): readonly string[] {
  const more = lines.length - mostShown;
  const rest = more > 0 ? [`and ${plural(more, "more file")}; --json names all`] : [];
  return [...lines.slice(0, mostShown), ...rest].map((line, index) =>
    renderFact(context, index === 0 ? name : "", line),
  );
}

function describePlan(plan: PushPlan, { yes }: PreviewOptions): string {
  if (plan.type !== "push") return `none: ${reasons[plan.type]}`;
  const { target, isFollowed } = plan;
  const followed = isFollowed ? ", which the branch would follow from then on" : "";
  const consent = target.isDefault && !yes ? "; that is the default branch, and needs --yes or your yes" : "";
  return `to ${target.remote}/${target.branch}${followed}${consent}`;
}

/** Returns what a save would do in its JSON form: docs/formats/cli-json.md. */
function toPreviewJson({ outcome, found, files, push }: SavePreview) {
  const target = push?.type === "push" ? push.target : undefined;
  return {
    dry_run: true,
    branch: found?.branch ?? null,
    head: found?.head ?? null,
    commit: {
      outcome: outcome.type,
      operation: "operation" in outcome ? outcome.operation : null,
      files: files.map(({ path, isDeleted }) => ({ path: describePath(path), deleted: isDeleted })),
      conflicts: (found?.conflicts ?? []).map(describePath),
    },
    left_out: toLeftOutJson(found),
    push: push === undefined ? null : toPlanJson(push, target),
  };
}

function toPlanJson(plan: PushPlan, target: PushTarget | undefined) {
  return {
    outcome: plan.type === "push" ? "would-push" : plan.type,
    remote: target?.remote ?? null,
    branch: target?.branch ?? null,
    default_branch: target?.isDefault ?? null,
    sets_upstream: plan.type === "push" && plan.isFollowed,
  };
}
