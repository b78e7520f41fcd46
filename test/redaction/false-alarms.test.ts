import { createHash, createSecretKey, randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeUuidV7 } from "../../src/lib/uuid-v7.ts";
import { findSecrets } from "../../src/redaction/find-secrets.ts";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { cleanCode, cleanPassages, cleanProse, placeholders } from "./clean-texts.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));

/** Describes every false alarm, so that a failure shows where it comes from. */
function alarmsOf(text: string, name: string): readonly string[] {
  return findSecrets(text).map(({ kind, start, end }) => {
    const line = text.slice(Math.max(0, start - 40), Math.min(end, start + 80) + 20);
    return `${name}: ${kind} in ${JSON.stringify(line)}`;
  });
}

const alarmsIn = (paths: readonly string[]): readonly string[] =>
  paths.flatMap((path) => alarmsOf(readFileSync(path, "utf8"), path));

describe("clean files", () => {
  it("of this package raise no alarm", () => {
    const files = globSync(["src/**/*.ts", "docs/**/*.md", "*.md", "scripts/*.ts"]);
    expect(files.length).toBeGreaterThan(50);
    expect(alarmsIn(files)).toEqual([]);
  });

  it("called lock files raise no alarm", () => {
    expect(alarmsIn(["package-lock.json"])).toEqual([]);
  });

  it("of other packages raise next to none", () => {
    const files = globSync([
      "node_modules/@types/node/**/*.d.ts",
      "node_modules/typescript/lib/lib.*.d.ts",
      "node_modules/{zod,commander,fast-check,vitest,acorn}/**/*.{js,mjs,cjs,d.ts,md,json}",
    ]);
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
    expect(bytes).toBeGreaterThan(5_000_000);
    const alarms = alarmsIn(files);
    expect(alarms.length <= bytes / 2_000_000 ? [] : alarms).toEqual([]);
  });
});

describe("clean lines", () => {
  const lines = Object.entries(cleanCode).flatMap(([language, code]) => code.map((line) => [language, line]));

  it.each(lines)("of %s stay: %s", (_, line) => {
    expect(redactText(line ?? "")).toBe(line);
  });

  it.each(cleanProse)("of prose stay: %s", (line) => {
    expect(redactText(line)).toBe(line);
  });

  it.each(cleanPassages)("of documents, schemas and messages stay: %s", (passage) => {
    expect(redactText(passage)).toBe(passage);
  });

  it.each(placeholders)("with a placeholder stay: %s", (line) => {
    expect(redactText(line)).toBe(line);
  });
});

describe("messages full of what chance made", () => {
  const random = makeRandom(2026);
  const hash = (name: string, encoding: "hex" | "base64"): string =>
    createHash(name)
      .update(String(random(1e9)))
      .digest(encoding);
  const make = (form: string): string => drawFake(form, random).text;

  const kinds: readonly (readonly [name: string, make: () => string])[] = [
    ["commits", () => `commit ${hash("sha1", "hex")}\nMerge: ${make("<hex:7>")} ${make("<hex:7>")}`],
    [
      "hashes",
      () => `sha256:${hash("sha256", "hex")} sha512 ${hash("sha512", "hex")} md5 ${hash("md5", "hex")}`,
    ],
    [
      "UUIDs",
      () => `{"session_id":"${randomUUID()}","id":"${makeUuidV7(new Date())}","key":"${randomUUID()}"}`,
    ],
    ["our ids", () => `ent_${makeUuidV7(new Date())} session-20261115-143022-${make("<low:4>")}`],
    [
      "integrity",
      () => `"integrity": "sha512-${hash("sha512", "base64")}", "checksum": "10/${hash("sha256", "hex")}"`,
    ],
    ["go.sum", () => `example.com/mod v1.2.3 h1:${hash("sha256", "base64")}`],
    ["images", () => `<img src="data:image/png;base64,${make("<base64:2000>")}==">`],
    ["base64", () => make("<base64:3000>")],
    ["base64url", () => make("<url:3000>")],
    ["hexadecimal", () => make("<hex:3000>")],
    [
      "docker",
      () => `image@sha256:${hash("sha256", "hex")} ${make("<hex:12>")} Up 3 hours 0.0.0.0:8080->80/tcp`,
    ],
    [
      "requests",
      () => `"request_id": "req_${make("<base62:24>")}", "tool_use_id": "toolu_${make("<base62:24>")}"`,
    ],
    [
      "signatures",
      () => `"signature": "${make("<base64:400>")}", "encrypted_content": "${make("<base64:800>")}"`,
    ],
    ["nonces", () => `<script nonce="${make("<base64:22>")}=="> etag: W/"${make("<base62:27>")}"`],
    [
      "bundles",
      () => `/assets/index-${make("<base62:8>")}.js?v=${make("<hex:20>")} chunk-${make("<up:8>")}.mjs`,
    ],
    ["classes", () => `<div class="css-${make("<low:6>")} sc-${make("<letter:5>")} ${make("<letter:6>")}">`],
  ];

  it.each(kinds)("raise at most one alarm in a thousand: %s", (name, makeMessage) => {
    const alarms = Array.from({ length: 1000 }, makeMessage).flatMap((message) => alarmsOf(message, name));
    expect(alarms.length <= 1 ? [] : alarms).toEqual([]);
  });
});
