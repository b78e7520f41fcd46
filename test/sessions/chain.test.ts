import fc from "fast-check";
import { expect, it } from "vitest";
import { chainHash, chainStart, type Link, sha256 } from "../../src/sessions/chain.ts";
import { parseEntryId, parseStrand } from "../../src/sessions/ids.ts";

const first: Link = {
  id: parseEntryId("ent_a"),
  parent: null,
  strand: parseStrand("main"),
  kind: "message",
  atMs: 1763208000000,
  bodyHash: sha256('{"role":"user","parts":[]}'),
};
const second: Link = {
  id: parseEntryId("ent_b"),
  parent: first.id,
  strand: parseStrand("worker"),
  kind: "hologram",
  atMs: -1,
  bodyHash: sha256("{}"),
};

// Computed with another program from docs/formats/chain.md.
const firstHash = "44fe65618d1e89e9f306db6e6587033baead782549d95923696370edfcd8ecf3";
const secondHash = "8c35ccb9327322cd2d0774b75104011fd2521151cac81d2fd4b18b0afd31f375";

it("is what anyone computes from its description", () => {
  expect(first.bodyHash).toBe("baba7438d045d9cbf8329b87ecd92b1f60dc36f0be383d557a81fe833194c9b7");
  expect(chainHash(chainStart, first)).toBe(firstHash);
  expect(chainHash(firstHash, second)).toBe(secondHash);
});

it("changes with every field that it covers", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const anyLink = fc.record({
    id: name.map(parseEntryId),
    parent: fc.option(name.map(parseEntryId)),
    strand: name.map(parseStrand),
    kind: name,
    atMs: fc.integer(),
    bodyHash: name.map(sha256),
  });
  fc.assert(
    fc.property(anyLink, anyLink, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(chainHash(chainStart, one) === chainHash(chainStart, other)).toBe(isSame);
      expect(chainHash(chainStart, one)).not.toBe(chainHash(firstHash, one));
      for (const key of Object.keys(one) as (keyof Link)[]) {
        if (one[key] === other[key]) continue;
        expect(chainHash(chainStart, { ...one, [key]: other[key] })).not.toBe(chainHash(chainStart, one));
      }
    }),
  );
});
