import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { expectHidden, mapStrings, unmark, withoutKinds } from "./marked-texts.ts";

const { redactJson } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const key = generateKeyPairSync("rsa", { modulusLength: 1024 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()
  .trim()
  .split("\n");

describe("the shapes in which values carry a password", () => {
  it.each([
    { name: "DB_PASSWORD", value: "«sunshine»" },
    { Value: "«sunshine»", Key: "DB_PASSWORD" },
    { ParameterKey: "DBPassword", ParameterValue: "«sunshine»" },
    { id: "password", label: "password", value: "«sunshine»" },
    { text: `{"name":"DB_PASSWORD","value":"«sunshine»"}` },
    { password: { value: "«sunshine»", type: "string" } },
    { db_password: { default: "«sunshine»" } },
    { password: { S: "«sunshine»" } },
    { passwords: ["«sunshine»", "«football»"] },
    { passwords: [{ value: "«sunshine»" }] },
    { password: "«letmein»", db_password: "«a b, c9»" },
    { password: "«$ecret!23»", passwd: "«{ab}cd9»", passphrase: "«<ab>cd9»" },
    { api_token: "«abcdefghij»", accessKey: "«AbcDefGhiJkl»" },
    { auths: { registry: { auth: `«${Buffer.from("me:sunshine").toString("base64")}»` } } },
    ["mysql", "--password", "«sunshine»", "main"],
    ["tool", "--api-token", "«abcdefghij»"],
    ["tool", "--password=«sunshine»"],
    ["mysql", "-u", "root", "-p«sunshine»", "main"],
    ["docker", "login", "-u", "me", "-p", "«sunshine»"],
    ["/usr/bin/redis-cli", "-a", "«sunshine»", "ping"],
    ["curl", "-u", "me:«sunshine»", "https://example.com"],
    ["tool", "-p", "«hunter22»"],
    { args: ["--token", "«abcdefghij»", "-v"] },
    key.map((line) => `«${line}»`),
    ["before", ...key.map((line) => `«${line}»`), "after"],
  ])("are known: %j", (marked) => {
    const redacted = redactJson(mapStrings(marked, unmark));
    const expected = expectHidden(marked);
    expect(mapStrings(redacted, withoutKinds)).toEqual(expected);
    expect(redactJson(redacted)).toBe(redacted);
  });

  it("have a marker for a number where people choose one", () => {
    expect(mapStrings(redactJson<unknown>({ password: 12_345_678, port: 12_345_678 }), withoutKinds)).toEqual(
      {
        password: "[redacted]",
        port: 12_345_678,
      },
    );
  });

  it.each<unknown>([
    { password: "Passwort" },
    { password: "Mot de passe", token: "Jeton" },
    { password: "Contraseña", secret: "Секрет" },
    { password: "パスワード" },
    { password: "Must be at least 8 characters" },
    { confirmPassword: "Confirm", resetPassword: "Restore", showPassword: "Reveal" },
    { errors: { password: "invalid", token: "expired" } },
    { password: { type: "string", description: "The password", minLength: 8, value: "<password>" } },
    { password: { $ref: "#/definitions/password" } },
    { name: "DB_HOST", value: "sunshine" },
    { name: "DB_PASSWORD", valueFrom: { secretKeyRef: { name: "app", key: "password" } } },
    { password: 42, password_length: 12_345_678, token: 12_345_678, max_tokens: 200_000 },
    { passwords: ["password", "<password>"], tokens: ["The", "quick", "brown"] },
    ["mkdir", "-p", "build22"],
    ["docker", "run", "-p", "8080:80", "image"],
    ["tool", "-p", "src/lib22"],
    ["mysql", "-p", "main"],
    ["tool", "--password", "--verbose"],
    ["tool", "--password", "$PASSWORD"],
    ["tool", "--verbose", "sunshine"],
    ["-----BEGIN CERTIFICATE-----", ...key.slice(1, -1), "-----END CERTIFICATE-----"],
    ["-----BEGIN PRIVATE KEY-----", "and no key behind it"],
  ])("leave others as they are: %j", (value) => {
    expect(redactJson(value)).toBe(value);
  });

  it("are left in a list where they are opaque", () => {
    const value = ["tool", "--password", "sunshine"];
    expect(redactJson(value, { isOpaque: ([index]) => index === 2 })).toBe(value);
    expect(redactJson(key, { isOpaque: () => true })).toBe(key);
  });
});
