import * as usual from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as quick from "../../src/lib/quick-crypto.ts";
import { sha256Slowly } from "../../src/lib/sha256-slowly.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";

const anyText = fc.string({ unit: anyCharacter, maxLength: 300 });
const anyBytes = fc.uint8Array({ maxLength: 300 });

describe("hashes for a program of a moment", () => {
  it("are those of node:crypto, for any bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(sha256Slowly(bytes).toString("hex")).toBe(usual.hash("sha256", bytes, "hex"));
      }),
    );
  });

  it("are those of node:crypto where a block ends, and beyond a thousand blocks", () => {
    const sizes = [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 65_535, 70_000];
    const texts = sizes.map((size) => Buffer.alloc(size, "carryon"));
    expect(texts.map((text) => sha256Slowly(text).toString("hex"))).toEqual(
      texts.map((text) => usual.hash("sha256", text, "hex")),
    );
  });

  it("are those of node:crypto for any texts, in parts or whole, however many there are", () => {
    const parts = fc.array(fc.oneof(anyText, fc.string({ unit: fc.constant("\ud800") }), anyBytes));
    fc.assert(
      fc.property(parts, fc.constantFrom("sha256", "sha1"), (given, algorithm) => {
        const [one, other] = [quick.createHash(algorithm), usual.createHash(algorithm)];
        for (const part of given) {
          expect(quick.hash(algorithm, part, "hex")).toBe(usual.hash(algorithm, part, "hex"));
          one.update(part);
          other.update(part);
        }
        expect(one.digest("hex")).toBe(other.digest("hex"));
      }),
      { numRuns: cases(300) },
    );
  });

  it("cover what they were given, whatever becomes of it later", () => {
    const given = Buffer.from("before");
    const begun = quick.createHash("sha256").update(given);
    given.write("behind");
    expect(begun.digest("base64")).toBe(usual.hash("sha256", "before", "base64"));
  });

  it("go over to node:crypto in the midst of a large one", () => {
    const block = Buffer.alloc(50_000, "carryon");
    const [one, other] = [quick.createHash("sha256"), usual.createHash("sha256")];
    for (let times = 0; times < 3; times += 1) {
      one.update(block);
      other.update(block);
    }
    expect(one.digest("hex")).toBe(other.digest("hex"));
  });

  it("are made with a key as node:crypto makes them", () => {
    const key = Buffer.alloc(32, 7);
    const one = quick.createHmac("sha256", quick.createSecretKey(key) as never).update("secret");
    const other = usual.createHmac("sha256", usual.createSecretKey(key)).update("secret");
    expect(one.digest("hex")).toBe(other.digest("hex"));
  });

  it("come with random bytes that nobody gets twice", () => {
    const taken = Array.from({ length: 100 }, (_, index) => quick.randomBytes(16 + (index % 3) * 200));
    expect(taken.map(({ length }) => length)).toEqual(taken.map((_, index) => 16 + (index % 3) * 200));
    expect(new Set(taken.map((bytes) => bytes.toString("hex"))).size).toBe(taken.length);
    expect(new Set(Buffer.concat(taken)).size).toBe(256);
  });

  it("have all that a bundle uses", () => {
    const used = globSync("src/!(cli|exchange|viewer|mcp)/**/*.ts").flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/^import \{([^}]*)\} from "node:crypto";$/gm)].flatMap(
        ([, names = ""]) => names.split(",").map((name) => name.trim()),
      ),
    );
    const values = new Set(used.filter((name) => name !== "" && !name.startsWith("type ")));
    expect(values).toContain("createHash");
    expect([...values].filter((name) => !(name in quick))).toEqual([]);
  });
});
