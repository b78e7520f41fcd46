import type { Digest } from "../../src/digest/digest.ts";
import { startDigest } from "../../src/digest/digest.ts";
import { followEntries } from "../../src/digest/follow-entries.ts";
import { describeDigest, type SectionName } from "../../src/digest/sections.ts";
import { Story } from "./entries.ts";

/** The digest of a whole session. */
export const digestOf = (story: Story): Digest => followEntries(startDigest("/work/shop"), story.entries);

/** The lines of a section, as the next session reads them. */
export function linesOf(digest: Digest, name: SectionName): readonly string[] {
  const section = describeDigest(digest).find((each) => each.name === name);
  return section?.lines.map(({ text }) => text) ?? [];
}

/** A morning's work: a plan, a failing test, a correction of the user, a commit and a push. */
export const morning = () =>
  new Story()
    .asks("Add a discount to the basket, only for members")
    .says("I'll look at the basket first.")
    .calls("Read", { file_path: "/work/shop/src/basket.ts" })
    .gets("export class Basket {}")
    .edits("src/basket.ts")
    .runs("npm test", "Tests  1 failed | 41 passed (42)\n", true)
    .says("The test fails because `Basket.total` rounds before the discount is taken off.")
    .asks("don't round in the basket, the invoice does that")
    .edits("src/basket.ts")
    .edits("src/invoice.ts")
    .runs("npm test", "Tests  42 passed (42)\n")
    .runs(
      "git commit -am 'feat: discount'",
      "[members 1a2b3c4] feat: discount for members\n 2 files changed\n",
    )
    .runs("git push", "To example.invalid:shop\n   0000000..1a2b3c4  members -> members\n")
    .says("Members get the discount now; rounding is left to the invoice.");
