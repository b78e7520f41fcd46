import { expect, it } from "vitest";
import { stemOf } from "../../../src/storage/search/stem.ts";

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
