import { expect, it } from "vitest";
import { migrateSessionKeys } from "../../../src/gates/state/parse-gate-document.ts";

const uuid = "cad0ac4d-3933-45ad-9a1c-14aec05bb940";
const twin = "cad0ac4d-3933-45ad-9a1c-14aec05bb941";
const migrate = (gates: Record<string, Record<string, unknown>>) =>
  Object.fromEntries(migrateSessionKeys(new Map(Object.entries(gates))));
const at = (seconds: number) => ({ satisfied: true, satisfied_at: seconds });

it("leaves a file of today as it is", () => {
  const table = new Map([["plan", { cad0ac4d: at(1), ses_1: at(2), "": at(3) }]]);
  expect(migrateSessionKeys(table)).toBe(table);
});

// Seed 2: 1.5, 2.4
it.each([
  {
    case: "brings a long id under its key and remembers it",
    before: { plan: { [uuid]: at(1), other: at(2) } },
    after: { plan: { cad0ac4d: { ...at(1), metadata: { full_id: uuid } }, other: at(2) } },
  },
  {
    case: "keeps the newer satisfaction of the long id",
    before: { plan: { cad0ac4d: at(1), [uuid]: { ...at(2), x: 1 } } },
    after: { plan: { cad0ac4d: { ...at(2), x: 1, metadata: { full_id: uuid } } } },
  },
  {
    case: "keeps the newer satisfaction of the short key",
    before: { plan: { cad0ac4d: { ...at(3), metadata: { by: "me" } }, [uuid]: at(2) } },
    after: { plan: { cad0ac4d: { ...at(3), metadata: { by: "me", full_id: uuid } } } },
  },
  {
    case: "prefers a satisfaction to none, with the trigger of either",
    before: { plan: { cad0ac4d: { triggered: true, triggered_at: 9 }, [uuid]: at(1) } },
    after: {
      plan: { cad0ac4d: { ...at(1), triggered: true, triggered_at: 9, metadata: { full_id: uuid } } },
    },
  },
  {
    case: "gives two that begin alike two keys, the same at every gate",
    before: { plan: { [uuid]: at(1), [twin]: at(2) }, other: { [twin]: at(3) } },
    after: {
      plan: {
        cad0ac4d: { ...at(1), metadata: { full_id: uuid } },
        cad0ac4d3933: { ...at(2), metadata: { full_id: twin } },
      },
      other: { cad0ac4d3933: { ...at(3), metadata: { full_id: twin } } },
    },
  },
  {
    case: "does not mix with another session that owns the short key",
    before: { plan: { cad0ac4d: { ...at(1), metadata: { full_id: twin } }, [uuid]: at(2) } },
    after: {
      plan: {
        cad0ac4d: { ...at(1), metadata: { full_id: twin } },
        cad0ac4d3933: { ...at(2), metadata: { full_id: uuid } },
      },
    },
  },
])("$case", ({ before, after }) => {
  expect(migrate(before)).toEqual(after);
  expect(migrate(after)).toEqual(after);
});
