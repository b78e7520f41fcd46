import { expect, it } from "vitest";
import { formsOf, stemOf } from "../../../src/storage/search/stem.ts";

it.each([
  "refuse refused refuses refusing",
  "commit commits committed committing",
  "deploy deploys deployed deploying deployment",
  "configure configured configuring configuration",
  "relate relates relational relation",
  "happy happiness",
  "agree agreed",
  "hop hopping hopped",
  "test tests tested testing",
  "decide decided decides deciding",
  "query queries queried",
])("has one stem for %s", (forms) => {
  expect(new Set(forms.split(" ").map(stemOf)).size).toBe(1);
});

it.each(["this", "is", "bus", "日本", "größe", "x86s", "s", "https"])("leaves %s as it is", (word) => {
  expect(stemOf(word)).toBe(word);
});

it.each([
  ["refused", "refuse refuses refusing refusal"],
  ["policies", "policy"],
  ["committed", "commit commits committing"],
  ["deployment", "deploy deploys deployed"],
  ["configuration", "configure configured"],
  ["installing", "install installed installs"],
])("lists for %s its other forms, all with its stem", (word, others) => {
  const forms = formsOf(word);
  expect(forms).toEqual(expect.arrayContaining([word, ...others.split(" ")]));
  expect(new Set(forms.map(stemOf)).size).toBe(1);
});

it("lists a word alone that is not English", () => {
  expect(["日本", "x86s", "größe"].map(formsOf)).toEqual([["日本"], ["x86s"], ["größe"]]);
});
