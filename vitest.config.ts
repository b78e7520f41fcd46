import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { LongFirst } from "./test/support/long-first.ts";

/** One project per way of testing; `npm test` runs the one that needs nothing but npm. */
const project = (name: string, folder: string, seconds: number, more: InlineConfig = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folder}/**/*.test.ts`],
    testTimeout: seconds * 1000,
    hookTimeout: seconds * 1000,
    ...more,
  },
});

/** Nothing is mocked, so that files of one process may share what they load: loading it again is a fifth of the run. */
const shared = { isolate: false };

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    // Tests wait for other programs as much as they compute.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    sequence: { sequencer: LongFirst },
    globalSetup: ["./test/support/own-home.ts", "./test/support/postgres-for-tests.ts"],
    projects: [
      project("unit", "test", 180, { ...shared, exclude: ["test/{faults,e2e,torture}/**"] }),
      project("faults", "test/faults", 300),
      project("e2e", "test/e2e", 600),
      project("torture", "test/torture", 7200),
    ],
  },
});
