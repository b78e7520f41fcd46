import { describePath } from "../git/git-path.ts";
import type { PushOutcome } from "../git/push.ts";
import type { FoundWork, SavedWork } from "./commit-work.ts";
import { describeTroubles } from "./describe-commit.ts";
import { toWireState } from "./render-work-state.ts";
import type { SaveReport } from "./save.ts";
import type { WorkDesk } from "./work-desk.ts";
import { locateState } from "./work-state.ts";

/** Returns what a save did in its JSON form: docs/formats/cli-json.md. */
export function toSaveJson(desk: WorkDesk, report: SaveReport) {
  const { state, work, push, checks = [], aside, tasks } = report;
  const { next = null, skipped } = tasks.tasks;
  return {
    path: locateState(desk.site.root),
    state: toWireState(state),
    commit: work === undefined ? null : toCommitJson(work),
    left_out: toLeftOutJson(work),
    push: push === undefined ? null : toPushJson(push),
    checks: checks.map(({ check, outcome, detail }) => ({ check, outcome, detail })),
    tasks: { source: tasks.source, next, skipped },
    aside: aside?.path ?? null,
    warnings: describeTroubles(report),
  };
}

/** Returns what is left out, and why. */
export function toLeftOutJson(work: FoundWork | undefined) {
  return (work?.leftOut ?? []).map(({ path, reason, detail = null }) => ({
    path: describePath(path),
    reason,
    detail,
  }));
}

function toCommitJson({ outcome, head, taken, conflicts, staged }: SavedWork) {
  return {
    outcome: outcome.type,
    commit: head ?? null,
    operation: "operation" in outcome ? outcome.operation : null,
    said: "said" in outcome ? outcome.said : null,
    files: taken.map(({ path }) => describePath(path)),
    conflicts: conflicts.map(describePath),
    staged: staged ?? null,
  };
}

function toPushJson(push: PushOutcome) {
  const target = "target" in push ? push.target : undefined;
  return {
    outcome: push.type,
    remote: target?.remote ?? null,
    branch: target?.branch ?? null,
    said: "said" in push ? push.said : null,
  };
}
