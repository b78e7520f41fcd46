import { describeHandoverFaults } from "../support/handover-sweeps.ts";

describeHandoverFaults(["a first decision", "a draft", "notes"]);
