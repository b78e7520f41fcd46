import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect } from "vitest";
import { inspectDecisions } from "../../src/handover/decisions/inspect-decisions.ts";
import { parseDecisions } from "../../src/handover/decisions/parse-decisions.ts";
import { inspectStore } from "../../src/storage/maintenance.ts";
import {
  type HandoverOperation,
  type HandoverOperationName,
  type HandoverScene,
  handoverOperations,
  handoverSceneIn,
} from "./handover-operations.ts";
import { type HandoverView, viewHandover } from "./handover-view.ts";

interface Course {
  readonly operation: HandoverOperationName;
  /** What was there before the operation, and is there after it when all goes well. */
  readonly before: HandoverView;
  readonly after: HandoverView;
}

/** Does an operation again after it was cut off, and checks that it ends as if nothing had gone wrong. */
export async function expectRepeatable(
  { operation, before, after }: Course,
  { handover, site }: HandoverScene,
  left: HandoverView,
  what: string,
): Promise<void> {
  const { run, settled = documentsOf }: HandoverOperation = handoverOperations[operation];
  await run(handover);
  const now = await viewHandover(handover);
  const { session, decisions, versions } = now;
  expect({ what, documents: settled(now) }).toEqual({ what, documents: settled(after) });
  const seen = [before.session, left.session, session].filter((text) => text !== undefined);
  expect({ what, lost: seen.filter((text) => !versions.includes(text)) }).toEqual({ what, lost: [] });
  expect({ what, isKept: decisions.startsWith(left.decisions) }).toEqual({ what, isKept: true });
  expect({ what, ...describeDecisions(decisions) }).toEqual({ what, ...describeDecisions(after.decisions) });
  const { isIntact, altered, missing } = await inspectDecisions(site, Buffer.from(decisions));
  const folder = dirname(site.root);
  const { problems } = await inspectStore(handoverSceneIn(folder).home);
  const strays = await findStrays(folder);
  expect({ what, isIntact, altered, missing, strays, problems }).toEqual({
    ...{ what, isIntact: true, altered: [], missing: [], strays: [], problems: [] },
  });
}

/** Who decides again has decided twice, and each version that was tried is in the log. */
function documentsOf({ session, buffer, files }: HandoverView) {
  return { session, buffer, files };
}

/** Returns the newest decision but its number, and whether the numbers are sound. */
function describeDecisions(text: string) {
  const { decisions, problems } = parseDecisions(text);
  return {
    newest: decisions.at(-1)?.summary,
    isCounted: decisions.every(({ seq }, index) => seq === index + 1),
    repeated: problems.filter(({ code }) => code === "repeated-number"),
  };
}

async function findStrays(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.includes(".carryon-tmp"));
}
