import { mkdir, symlink } from "node:fs/promises";
import { expect, it } from "vitest";
import { BadSetting } from "../../src/lib/bad-setting.ts";
import { isRecordedIn, parsePlainRules, readRecord } from "../../src/recording/record-rules.ts";
import { parseConfig } from "../../src/workspace/parse-config.ts";
import { tempDir } from "../support/temp-dir.ts";

const rules = readRecord({ "/home/ada/clients": "off", "/home/ada/clients/open": "on" });

it.each([
  ["/home/ada", true],
  ["/home/ada/clients", false],
  ["/home/ada/clients/acme/src", false],
  ["/home/ada/clients-2", true],
  ["/home/ada/clients/open/src", true],
])("records in %s: %s", (folder, isRecorded) => {
  expect(isRecordedIn(rules, folder)).toBe(isRecorded);
});

it("knows a folder by each of its names", async () => {
  await using dir = await tempDir();
  await mkdir(dir.join("real/src"), { recursive: true });
  await symlink(dir.join("real"), dir.join("link"));
  expect(isRecordedIn(readRecord({ [dir.join("link")]: "off" }), dir.join("real/src"))).toBe(false);
  expect(isRecordedIn(readRecord({ [dir.join("real")]: "off" }), dir.join("link/src"))).toBe(false);
});

it.each([{ "relative/path": "off" }, { "/folder": "never" }, { "/folder": false }, ["/folder"], "off", null])(
  "refuses the setting %j",
  (value) => {
    expect(() => readRecord(value)).toThrow(BadSetting);
  },
);

it.each([
  { case: "a folder a line", text: "record:\n  /a/b: off\n  /a/b/c: on\n" },
  { case: "quotes", text: "record:\n  \"/a b\": off\n  '/c d': off # mine\n" },
  {
    case: "comments and other settings",
    text: "sddDir: docs\n# x\nrecord: # y\n\n  # z\n  /a: off\nstore: null\n",
  },
  { case: "no such setting", text: "sddDir: record\n" },
  { case: "the end of the text", text: "record:\n  /a: off" },
])("reads $case without a parser as with one", ({ text }) => {
  const { settings } = parseConfig(text, "config.yaml", { record: readRecord });
  expect(parsePlainRules(text)).toEqual(settings.record ?? []);
});

it.each([
  "record: { /a: off }\n",
  "{record: {/a: off}}\n",
  "record:\n  ? /a\n  : off\n",
  "record:\n  /a: !x off\n",
  '"record":\n  /a: off\n',
])("leaves %j to a parser", (text) => {
  expect(parsePlainRules(text)).toBeUndefined();
});
