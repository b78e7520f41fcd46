import { defineConfig } from "vitest/config";

/** One project per way of testing; `npm test` runs the one that needs nothing but npm. */
const project = (name: string, folder: string, seconds: number, exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include: [`${folder}/**/*.test.ts`],
    exclude,
    testTimeout: seconds * 1000,
    hookTimeout: seconds * 1000,
  },
});

export default defineConfig({
  test: {
    reporters: ["default", "./test/support/closing-line-reporter.ts"],
    maxWorkers: "100%",
    globalSetup: ["./test/support/own-home.ts", "./test/support/postgres-for-tests.ts"],
    projects: [
      project("unit", "test", 180, ["test/{faults,e2e,torture}/**"]),
      project("faults", "test/faults", 300),
      project("e2e", "test/e2e", 600),
      project("torture", "test/torture", 7200),
    ],
  },
});
