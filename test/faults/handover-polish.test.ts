import { describeHandoverFaults } from "../support/handover-sweeps.ts";

// The other half of its calls is in handover-polish-rest.test.ts: each takes a minute.
describeHandoverFaults(["a handover"], { of: 2, number: 0 });
