import { expect, it } from "vitest";
import type * as z from "zod";
import type { EntryContent, Part } from "../../src/sessions/entry.ts";
import type { entrySchema, partSchema } from "../../src/sessions/parse-new-entry.ts";

type SameText<One extends string, Other extends string> = [One, Other] extends [Other, One] ? true : never;

it("knows the same kinds of entries and parts as the domain, or this does not compile", () => {
  const kinds: SameText<z.infer<typeof entrySchema>["kind"], EntryContent["kind"]> = true;
  const parts: SameText<z.infer<typeof partSchema>["type"], Part["type"]> = true;
  expect([kinds, parts]).toEqual([true, true]);
});
