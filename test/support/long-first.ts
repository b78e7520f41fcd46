import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, the longest first. They are short, and without this would be begun last. */
const long = [
  ...["faults/store", "faults/interrupted-work", "faults/store-copies", "faults/handover-again"],
  ...["faults/handover", "faults/handover-polish", "faults/handover-polish-rest", "faults/store-migrations"],
  ...["e2e/claude-code-recording", "e2e/fresh-clone", "e2e/claude-code-loop", "e2e/claude-code-handover"],
].map((name) => `/test/${name}.test.ts`);

/** Begins with what takes longest: of what is begun last, one core works and the others wait. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = long.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? long.length : place;
}
