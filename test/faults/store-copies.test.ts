import { describeSweeps } from "../support/store-sweeps.ts";
import { trials } from "../support/store-trials.ts";

describeSweeps(
  trials.filter(({ operation }) => ["backup", "restore"].includes(operation)),
  2,
);
