import { describeHandoverFaults } from "../support/handover-sweeps.ts";

describeHandoverFaults(["a decision after a torn one", "a draft over the text of another hand", "a flush"]);
