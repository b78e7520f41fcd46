import { describeHandoverFaults } from "../support/handover-sweeps.ts";

describeHandoverFaults(["a handover"]);
