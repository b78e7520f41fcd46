import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const unkeyed = (text: string): string => text.replace(/:[0-9a-f]{8}\]/g, "]");

const pem = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});
const key = pem.toString().trim();
const lines = key.split("\n");
const random = makeRandom(5);
const body = Array.from({ length: 6 }, () => drawFake("<base64:64>", random).text).join("\n");
const named = (name: string): string =>
  ["-----BEGIN ", "-----END "].map((mark) => `${mark}${name}-----`).join(`\n${body}\n`);

describe("private keys", () => {
  it.each([
    ["alone", key, "[redacted:private-key]"],
    ["between text", `before\n${key}\nafter`, "before\n[redacted:private-key]\nafter"],
    [
      "in JSON",
      JSON.stringify({ private_key: `${key}\n` }),
      String.raw`{"private_key":"[redacted:private-key]\n"}`,
    ],
    [
      "in JSON in JSON",
      JSON.stringify(JSON.stringify({ k: key })),
      String.raw`"{\"k\":\"[redacted:private-key]\"}"`,
    ],
    ["in an environment file", `KEY="${lines.join("\\n")}"`, `KEY="[redacted:private-key]"`],
    ["in added lines", lines.map((line) => `+${line}`).join("\n"), "+[redacted:private-key]"],
    ["in removed lines", lines.map((line) => `-${line}`).join("\n"), "-[redacted:private-key]"],
    ["indented", lines.map((line) => `    ${line}`).join("\n"), "    [redacted:private-key]"],
    ["quoted", lines.map((line) => `> ${line}`).join("\n"), "> [redacted:private-key]"],
    [
      "of strings that are joined",
      lines.map((line) => `"${line}\\n" +`).join("\n"),
      `"[redacted:private-key]\\n" +`,
    ],
    ["with other line ends", lines.join("\r\n"), "[redacted:private-key]"],
    ["without its end", lines.slice(0, 5).join("\n"), "[redacted:private-key]"],
    ["twice", `${key}\n${key}`, "[redacted:private-key]\n[redacted:private-key]"],
  ])("are replaced as a whole: %s", (_, text, expected) => {
    expect(unkeyed(redactText(text))).toBe(expected);
  });

  it.each([
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
  ])("are known by the name %s", (name) => {
    expect(unkeyed(redactText(named(name)))).toBe("[redacted:private-key]");
  });

  it("are replaced in the file of PuTTY", () => {
    expect(unkeyed(redactText(`Private-Lines: 6\n${body}\nPrivate-MAC: x`))).toBe(
      "Private-Lines: 6\n[redacted:private-key]-MAC: x",
    );
  });

  it("are no certificates and no public keys", () => {
    for (const text of [named("CERTIFICATE"), named("PUBLIC KEY")]) expect(redactText(text)).toBe(text);
  });

  it("leave a text that only speaks of them", () => {
    const text = `if (pem.includes("-----BEGIN PRIVATE KEY-----")) throw new Error("no");`;
    expect(redactText(text)).toBe(text);
  });
});
