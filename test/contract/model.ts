import { describe } from "vitest";
import type { OpenForTest } from "../support/model-world.ts";
import { modelFailuresContract } from "./model-failures.ts";
import { modelRepliesContract } from "./model-replies.ts";

/** What every provider must do, over its own SDK. Add a provider by calling this once with a way to open it. */
export function modelContract(open: OpenForTest): void {
  describe("replies", () => modelRepliesContract(open));
  describe("failures", () => modelFailuresContract(open));
}
