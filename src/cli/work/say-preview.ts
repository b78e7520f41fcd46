import { describePath } from "../../git/git-path.ts";
import type { PushPlan } from "../../git/push.ts";
import type { PushTarget } from "../../git/push-target.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine } from "../../lib/wrap-line.ts";
import { describeLeftOut } from "../../work/describe-left-out.ts";
import { type PreviewedFile, previewSave, type SavePreview } from "../../work/preview-save.ts";
import { reasons } from "../../work/push-trouble.ts";
import { renderFact } from "../../work/render-work.ts";
import type { SaveRequest } from "../../work/save.ts";
import { toLeftOutJson } from "../../work/save-json.ts";
import { locatePlace } from "../../workspace/recognise-project.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";

/** What a save is asked for, and how it is told. */
interface PreviewOptions extends Pick<SaveRequest, "mode" | "commit"> {
  readonly yes: boolean;
  readonly json: boolean;
}

const mostShown = 20;

/** Says what a save would do, and does nothing. */
export async function sayPreview(context: CommandContext, options: PreviewOptions): Promise<void> {
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
      return `${plural(files.length, "file")} would be committed`;
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

function describeFile({ path, isDeleted, movedFrom }: PreviewedFile): string {
  const moved = movedFrom === undefined ? "" : ` (moved from ${describePath(movedFrom)})`;
  return toPrintableLine(`${describePath(path)}${isDeleted ? " (deleted)" : moved}`);
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
      files: files.map(({ path, isDeleted, movedFrom }) => ({
        ...{ path: describePath(path), deleted: isDeleted },
        moved_from: movedFrom === undefined ? null : describePath(movedFrom),
      })),
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
