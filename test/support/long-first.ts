import { basename } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, the longest first. They are short, and without this would be begun last. */
const long = [
  ...["store", "store-copies", "handover-polish", "handover-polish-rest"],
  ...["handover-again", "handover", "store-migrations"],
].map((name) => `${name}.test.ts`);

/** Begins with what takes longest: of what is begun last, one core works and the others wait. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ project, moduleId }: TestSpecification): number {
  const place = project.name === "faults" ? long.indexOf(basename(moduleId)) : -1;
  return place === -1 ? long.length : place;
}
