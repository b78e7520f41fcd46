import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseSessionKey, normalizeSessionId } from "../../src/gates/session-key.ts";

const uuid = "cad0ac4d-3933-45ad-9a1c-14aec05bb940";
const twin = "cad0ac4d-3933-45ad-9a1c-14aec05bb941";
const nobody = () => new Set<string>();

/** Owners by key. */
const owned = (owners: Record<string, readonly string[]>) => (key: string) => new Set(owners[key] ?? []);

describe("normalizeSessionId", () => {
  // Seed 2: 1.5
  it.each([
    { id: uuid, key: "cad0ac4d" },
    { id: uuid.replaceAll("-", ""), key: "cad0ac4d" },
    { id: uuid.toUpperCase(), key: "CAD0AC4D" },
    { id: `${uuid}-00ff`, key: "cad0ac4d" },
    { id: "-".repeat(40) + "a".repeat(32), key: "aaaaaaaa" },
    { id: "cad0ac4d", key: "cad0ac4d" },
    { id: "a".repeat(31), key: "a".repeat(31) },
    { id: `${"a".repeat(31)}g`, key: `${"a".repeat(31)}g` },
    { id: "-".repeat(40), key: "-".repeat(40) },
    { id: "ses_0193", key: "ses_0193" },
    { id: "__proto__", key: "__proto__" },
    { id: "../x", key: "../x" },
    { id: "a\0b🙂", key: "a\0b🙂" },
    { id: "all", key: "id-all" },
    { id: "every-session", key: "id-every-session" },
    { id: "", key: undefined },
  ])("makes $key of $id", ({ id, key }) => {
    expect(normalizeSessionId(id)).toBe(key);
  });

  // Seed 2: 2.1
  it("leaves a key as it is, for any id", () => {
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF-"), maxLength: 80 });
    fc.assert(
      fc.property(fc.oneof(fc.string(), digits, fc.uuid()), (id) => {
        const key = normalizeSessionId(id);
        expect(normalizeSessionId(key ?? "")).toBe(key);
      }),
    );
  });
});

describe("chooseSessionKey", () => {
  it.each([
    { case: "takes the short one that nobody has", owners: {}, key: "cad0ac4d" },
    { case: "keeps the short one that it has", owners: { cad0ac4d: [uuid] }, key: "cad0ac4d" },
    { case: "takes a longer one beside another's", owners: { cad0ac4d: [twin] }, key: "cad0ac4d3933" },
    {
      case: "keeps the longer one that it has when the short one is free again",
      owners: { cad0ac4d3933: [uuid] },
      key: "cad0ac4d3933",
    },
    { case: "shares no key of two owners", owners: { cad0ac4d: [uuid, twin] }, key: "cad0ac4d3933" },
    {
      case: "goes on until no other has it",
      owners: { cad0ac4d: [twin], cad0ac4d3933: [twin], cad0ac4d393345ad: [twin] },
      key: "cad0ac4d393345ad9a1c",
    },
  ])("$case", ({ owners, key }) => {
    expect(chooseSessionKey(uuid, owned(owners))).toBe(key);
  });

  it("finds a key for each of many ids that begin alike, which is no other's and is kept", () => {
    const owners = new Map<string, string>();
    const ownersOf = (key: string) => new Set([owners.get(key)].filter((id) => id !== undefined));
    const ids = Array.from({ length: 20 }, (_, index) => `${uuid.slice(0, -2)}${index + 10}`);
    for (const id of ids) owners.set(chooseSessionKey(id, ownersOf) ?? "", id);
    expect([...owners.values()]).toEqual(ids);
    expect(ids.map((id) => chooseSessionKey(id, ownersOf))).toEqual([...owners.keys()]);
    expect([...owners.keys()].map((key) => normalizeSessionId(key))).toEqual([...owners.keys()]);
  });

  it("has no longer key for an id that is kept whole, and none for an empty one", () => {
    expect(chooseSessionKey("cad0ac4d", owned({ cad0ac4d: [uuid] }))).toBe("cad0ac4d");
    expect(chooseSessionKey("", nobody)).toBeUndefined();
  });
});
