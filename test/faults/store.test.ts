import { describeSweeps } from "../support/store-sweeps.ts";
import { trials } from "../support/store-trials.ts";

// Most calls are writes, one like the other: some of them are enough here, and torture takes all.
describeSweeps(
  trials.filter(({ operation }) => ["append", "checkpoint", "fork", "delete", "scrub"].includes(operation)),
  2,
);
