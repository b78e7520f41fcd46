import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with the one line that CI reads: `N passed, N failed, N skipped`. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    );
    const count = (state: string) => states.filter((each) => each === state).length;
    // A file or a hook that failed before its tests counts once, although no test of it did.
    const failsItself = (module: TestModule) =>
      module.state() === "failed" && ![...module.children.allTests("failed")].length;
    const broken = modules.filter(failsItself).length;
    process.stdout.write(
      `\n${count("passed")} passed, ${count("failed") + broken} failed, ${count("skipped")} skipped\n`,
    );
  }
}
