import { describeHandoverFaults } from "../support/handover-sweeps.ts";

describeHandoverFaults(["a handover"], { of: 2, number: 1 });
