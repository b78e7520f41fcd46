/** Every call that an operation on a store makes fails once or for ever, or is its last. */
import { describe } from "vitest";
import { describeSweeps } from "../support/store-sweeps.ts";
import { trials } from "../support/store-trials.ts";

describe("loses nothing when any call fails or its process is killed there", () => {
  describeSweeps(trials, Number.POSITIVE_INFINITY);
});
