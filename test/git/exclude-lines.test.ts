import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMissing, renderAdded, takeOut, toPattern } from "../../src/git/exclude-list.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** Lists of any bytes, many of them with line ends of both kinds. */
const anyList = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  fc.array(fc.constantFrom("a", "/x", "\n", "\r\n", "\r", "\xe9")).map((parts) => latin1(parts.join(""))),
);

describe("lines of a list of what git leaves out", () => {
  it.each([
    { case: "begin an empty list", list: undefined, added: "/x\n/y\n" },
    { case: "follow a line", list: "*.log\n", added: "/x\n/y\n" },
    { case: "end a last line that has no end", list: "*.log", added: "\n/x\n/y\n" },
    { case: "end in CRLF where others do", list: "a\nb\r\n", added: "/x\r\n/y\r\n" },
    { case: "end a last line as the one before it ends", list: "a\r\nb", added: "\r\n/x\r\n/y\r\n" },
    { case: "end as the last one does", list: "a\r\nb\n", added: "/x\n/y\n" },
  ])("$case", ({ list, added }) => {
    expect(renderAdded(list === undefined ? undefined : Buffer.from(list), ["/x", "/y"])).toBe(added);
  });

  it("are missed unless they are there as a whole", () => {
    const list = Buffer.concat([latin1("/caf\xe9\r\n/x y\n#/z\n"), Buffer.from("/naïve\n/last")]);
    const wanted = ["/x y", "/x", "/z", "/café", "/naïve", "/last"];
    expect(findMissing(list, wanted)).toEqual(["/x", "/z", "/café"]);
    expect(findMissing(undefined, wanted)).toEqual(wanted);
  });

  it("are missed no longer when they were added, and what was there stays, whatever it was", () => {
    fc.assert(
      fc.property(anyList, (list) => {
        const grown = Buffer.concat([list, Buffer.from(renderAdded(list, ["/é", "/y"]))]);
        expect(findMissing(grown, ["/é", "/y"])).toEqual([]);
        expect(grown.subarray(0, list.length)).toEqual(list);
      }),
    );
  });

  it("are taken out again, and what was there comes back, whatever it was", () => {
    fc.assert(
      fc.property(anyList, (list) => {
        const added = renderAdded(list, ["/é"]);
        expect(takeOut(Buffer.concat([list, Buffer.from(added)]), added)).toEqual(list);
      }),
    );
  });

  it("leave the lines whole between which they stood", () => {
    for (const end of ["\n", "\r\n"]) {
      const first = renderAdded(Buffer.from(`a${end}*.log`), ["/x"]);
      const list = Buffer.from(`a${end}*.log${first}/y${end}`);
      expect(takeOut(list, first)?.toString()).toBe(`a${end}*.log${end}/y${end}`);
    }
    expect(takeOut(Buffer.from("a\n/x\n/y\n"), "/x\n")?.toString()).toBe("a\n/y\n");
  });

  it.each(["", "a\n", "/a/x\n", "#/x\n", "/x"])("are not taken out of %j, where they are not", (list) => {
    expect(takeOut(Buffer.from(list), "/x\n")).toBeUndefined();
  });

  it("stand for one path each", () => {
    expect(toPattern("a b/[c]*?")).toBe("/a\\ b/\\[c\\]\\*\\?");
  });
});
