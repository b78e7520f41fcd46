import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../../src/sessions/diff/align.ts";

const keyed = (keys: readonly string[]) => keys.map((key) => ({ key, place: undefined }));

describe("align", () => {
  it("covers both lists in order, and calls the same what is the same, for any lists", () => {
    const anyKeys = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 30 });
    fc.assert(
      fc.property(anyKeys, anyKeys, (left, right) => {
        const stretches = align(keyed(left), keyed(right));
        const covered = { left: [] as string[], right: [] as string[] };
        for (const { same, left: one, right: other } of stretches) {
          const [ours, theirs] = [left.slice(one.from, one.to), right.slice(other.from, other.to)];
          expect(ours.length + theirs.length).toBeGreaterThan(0);
          if (same) expect(ours).toEqual(theirs);
          covered.left.push(...ours);
          covered.right.push(...theirs);
        }
        expect(covered).toEqual({ left, right });
      }),
    );
  });

  it.each([
    { case: "equal lists are one stretch", left: "abc", right: "abc", told: "=abc" },
    { case: "an insertion stands alone", left: "ac", right: "abc", told: "=a -/b =c" },
    {
      case: "what repeats is found beside what occurs once",
      left: "xaax",
      right: "yaay",
      told: "-xaax/yaay",
    },
    {
      case: "it is pinned where something occurs once",
      left: "aakaa",
      right: "bakab",
      told: "-a/b =aka -a/b",
    },
    { case: "what crosses gives way to the longer order", left: "abcd", right: "dabc", told: "-/d =abc -d/" },
    { case: "nothing on one side", left: "", right: "ab", told: "-/ab" },
  ])("$case", ({ left, right, told }) => {
    const stretches = align(keyed([...left]), keyed([...right]));
    const shown = stretches.map(({ same, left: one, right: other }) => {
      const [ours, theirs] = [left.slice(one.from, one.to), right.slice(other.from, other.to)];
      return same ? `=${ours}` : `-${ours}/${theirs}`;
    });
    expect(shown.join(" ")).toBe(told);
  });
});
