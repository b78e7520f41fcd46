import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { isUnderAgent } from "../../gates/is-under-agent.ts";

import { plainLook } from "../../lib/style.ts";
import { catchUp } from "../../lifecycle/catch-up.ts";
import { readNextStep } from "../../memory/next-step.ts";
import { describeTroubles } from "../../work/describe-commit.ts";
import { loadWork } from "../../work/load.ts";
import { describeAdvice, describeResumed, renderLoad } from "../../work/render-load.ts";
import { findSaveFailure, renderBlocker, renderSave } from "../../work/render-work.ts";
import { resumeWork } from "../../work/resume.ts";
import { type SaveRequest, saveWork } from "../../work/save.ts";
import {
  type BlockerRequest,
  describeReplaced,
  describeResolved,
  tellBlocker,
  toMissingError,
} from "../../work/tell-blocker.ts";
import { openWorkDesk, type WorkDesk } from "../../work/work-desk.ts";
import { writeHere } from "../../workspace/open-here.ts";
import { sessionOf } from "../../workspace/workspace.ts";
import { makeAnswer } from "../answer.ts";
import type { Call } from "../call.ts";
import { reportFailure } from "../report-failure.ts";

/** Saves the work; nothing goes to the default branch, because nobody can be asked. */
export function answerSave(
  call: Call,
  request: Omit<SaveRequest, "mayPushToDefault" | "signal" | "say">,
): Promise<CallToolResult> {
  return atWork(call, async (desk) => {
    const said: string[] = [];
    const report = await saveWork(desk, {
      ...request,
      signal: call.signal,
      say: (line) => said.push(line),
      mayPushToDefault: async () => false,
    });
    const text = [
      renderSave(plainLook, desk.site.root, report),
      ...toLines([...said, ...describeTroubles(report)]),
    ];
    const failure: unknown = report.failure ?? call.signal.reason ?? findSaveFailure(report);
    return failure === undefined
      ? makeAnswer("The work is saved.", text.join("") + call.remarks)
      : reportFailure(failure, text.join("") + call.remarks);
  });
}

/** Says where the work was saved, and goes back there where that is asked for. */
export function answerLoad(call: Call, { resume }: { readonly resume: boolean }): Promise<CallToolResult> {
  return atWork(call, async (desk) => {
    const look = { ...plainLook, clock: desk.site.clock };
    const answer = (text: string) => makeAnswer("This is what was saved.", text + call.remarks);
    if (!resume) {
      const loaded = await loadWork(desk);
      if (loaded.type !== "loaded") throw toMissingError(desk, loaded);
      return answer(`${renderLoad(look, loaded)}\n${describeAdvice(loaded)}\n`);
    }
    const resumed = await resumeWork(desk, { isUnderAgent: isUnderAgent(call.caller), signal: call.signal });
    call.signal.throwIfAborted();
    if ("type" in resumed) throw toMissingError(desk, resumed);
    const { done, quoted, advice } = describeResumed(resumed);
    const before = toLines(done).join("");
    return answer(`${before}${renderLoad(look, resumed.loaded)}\n${advice}\n${toLines(quoted).join("")}`);
  });
}

const blockerTitles = {
  show: "This stops the work.",
  add: "The blocker is put down.",
  resolve: "It is said that the blocker is resolved.",
} as const;

/** Shows, adds or resolves the blocker. */
export function answerBlocker(call: Call, request: BlockerRequest): Promise<CallToolResult> {
  return atWork(call, async (desk) => {
    const { blocker, replaced } = await tellBlocker(desk, request);
    const shown =
      request.what === "resolve" ? `${describeResolved(blocker)}\n` : renderBlocker(plainLook, blocker);
    const instead = replaced === undefined ? "" : `${describeReplaced(replaced)}\n`;
    return makeAnswer(blockerTitles[request.what], shown + instead + call.remarks);
  });
}

async function atWork<Result>(call: Call, work: (desk: WorkDesk) => Promise<Result>): Promise<Result> {
  const caller = await call.inSession();
  await catchUp(caller);
  return writeHere(caller, async (here) => {
    const recordedNext = () => readNextStep(here, { except: sessionOf(caller) });
    return work({ ...(await openWorkDesk(here)), recordedNext });
  });
}

function toLines(texts: readonly string[]): readonly string[] {
  return texts.map((text) => `${text}\n`);
}
