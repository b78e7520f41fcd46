import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { rules } from "../../src/redaction/rules.ts";
import { tokenForms } from "./fake-tokens.ts";
import { drawFake, makeRandom, piecesLeft } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const samples = 20;

/** Where secrets stand; none of the names beside them says so. */
const wrappings: readonly (readonly [name: string, wrap: (secret: string) => string])[] = [
  ["plain text", (secret) => `Please use ${secret} for the deployment, thanks.`],
  ["JSON", (secret) => JSON.stringify({ note: secret, lines: JSON.stringify(`first\n${secret}\n`) })],
  ["an environment file", (secret) => `FIRST=1\nexport VALUE=${secret}\nLAST=2\n`],
  ["a URL", (secret) => `https://example.com/callback?first=1&value=${secret}&last=2`],
  ["a diff", (secret) => `@@ -1,2 +1,2 @@\n-${secret}\n+  value: '${secret}',\n`],
  ["lines of a terminal", (secret) => `first\r\n\u001b[32m${secret}\u001b[0m\r\n${secret}\r\nlast`],
];

/** Kinds that are only secret because of what stands before them; `named-secrets.test.ts` holds them. */
const knownByContext = [
  "aws-secret-key",
  "azure-storage-key",
  "azure-shared-access-key",
  "azure-sas-signature",
  "basic-credentials",
  "authorization",
  "netrc-password",
  "pgpass-password",
  "sql-password",
  "request-signature",
  "command-password",
];

describe("secrets with a form of their own", () => {
  it.each(tokenForms)("are replaced in every wrapping: %s as %s", (kind, form) => {
    const random = makeRandom(form.length);
    const outcomes = wrappings.flatMap(([wrapping, wrap]) =>
      Array.from({ length: samples }, () => {
        const fake = drawFake(form, random);
        const redacted = redactText(wrap(fake.text));
        const isGone = piecesLeft(fake, redacted).length === 0 && redacted.includes(`[redacted:${kind}:`);
        return isGone ? undefined : `${wrapping}: ${redacted}`;
      }),
    );
    const missed = outcomes.filter((outcome) => outcome !== undefined);
    expect(missed.length <= outcomes.length * 0.01 ? [] : missed).toEqual([]);
  });

  it("are all tried here", () => {
    const kinds = rules.flatMap((rule) => ("source" in rule ? [rule.kind] : []));
    const tried = new Set([...tokenForms.map(([kind]) => kind), ...knownByContext]);
    expect(kinds.filter((kind) => !tried.has(kind))).toEqual([]);
  });

  it("are of more than a hundred kinds", () => {
    expect(new Set(tokenForms.map(([kind]) => kind)).size).toBeGreaterThan(100);
  });
});

describe("tokens of one length that are broken over lines", () => {
  const random = makeRandom(3);
  const broken = (form: string, lineBreak: string): string => {
    const { text } = drawFake(form, random);
    const middle = Math.ceil(text.length / 2) + 2;
    return `${text.slice(0, middle)}${lineBreak}${text.slice(middle)}`;
  };

  it.each([
    ["ghp_<base62:36>", "github-token", "\n"],
    ["AKIA<base32:16>", "aws-access-key-id", "\r\n"],
    ["dop_v1_<hex:64>", "digitalocean-token", "\n+"],
    ["lin_api_<base62:40>", "linear-key", "\n    "],
    ["npm_<base62:36>", "npm-token", "\n> "],
  ])("are replaced as a whole: %s", (form, kind, lineBreak) => {
    const redacted = redactText(`key: ${broken(form, lineBreak)} and more`);
    expect(redacted).toMatch(new RegExp(`^key: \\[redacted:${kind}:[0-9a-f]{8}\\] and more$`));
  });

  it("stay when what follows is not the rest of them", () => {
    const text = "The prefix is ghp_ab\nand then come 36 letters and digits.";
    expect(redactText(text)).toBe(text);
  });
});

describe("what only looks like a secret", () => {
  it.each([
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "sk-ant-api03-...",
    "sk-your-api-key-goes-here",
    "sk-proj-my-project-name-here",
    "sk-fading-circle sk-cube-grid",
    "xoxb-your-token-here",
    "glpat-xxxxxxxxxxxxxxxxxxxx",
    "AKIA0000000000000000",
    "AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",
    "task-proj-abcdefgh1234567890",
    "hf_hub_download_and_verify_files",
    "npm_config_registry npm_lifecycle_event",
    "secret_manager_client_configuration_value_test",
    "re_compile_fastmap_and_more_things_here",
    "postgres://user:password@localhost/db",
    "https://$USER:$PASSWORD@example.com",
    "https://packages.example.org/@types/node/-/node-26.6.6.tgz",
    "http://localhost:3000/@vite/client",
    "git+ssh://git@github.com:owner/repo.git",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $accessToken",
    "Bearer authentication",
    "Basic information about Basic authentication",
    "-----BEGIN PUBLIC KEY-----",
    `text.startsWith("-----BEGIN PRIVATE KEY-----")`,
  ])("stays: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
