import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const random = makeRandom(42);
const make = (form: string): string => drawFake(form, random).text;

/** Replaces the hashes of markers, which are different for every secret. */
const unkeyed = (text: string): string => text.replace(/:[0-9a-f]{8}\]/g, "]");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

describe("headers", () => {
  it.each([
    ["Authorization: Bearer @", "<url:40>", "Authorization: Bearer [redacted:bearer-token]"],
    ["authorization: token @", "<hex:40>", "authorization: token [redacted:authorization]"],
    [`"Authorization": "@"`, "<base62:40>", `"Authorization": "[redacted:authorization]"`],
    [
      "curl -H 'Authorization: ApiKey @'",
      "<base62:32>",
      "curl -H 'Authorization: ApiKey [redacted:authorization]'",
    ],
    ["Cookie: theme=dark; sid=@", "<base62:40>", "Cookie: [redacted:cookie]"],
    ["curl -H 'Cookie: session=@' x", "<hex:40>", "curl -H 'Cookie: [redacted:cookie]' x"],
    [
      "Set-Cookie: id=@; Path=/; HttpOnly",
      "<base62:40>",
      "Set-Cookie: id=[redacted:cookie]; Path=/; HttpOnly",
    ],
    ["GET / JSESSIONID=@", "<up:32>", "GET / JSESSIONID=[redacted:session-cookie]"],
  ])("%s", (pattern, form, expected) => {
    expect(unkeyed(redactText(pattern.replace("@", make(form))))).toBe(expected);
  });

  it("holds the name and password of Basic, not the word", () => {
    const text = `Authorization: Basic ${base64(`deploy:${make("<base62:12>")}`)}`;
    expect(unkeyed(redactText(text))).toBe("Authorization: Basic [redacted:basic-credentials]");
  });

  it("keeps cookies that hold nothing but settings", () => {
    expect(redactText("Cookie: theme=dark; lang=en-GB")).toBe("Cookie: theme=dark; lang=en-GB");
  });
});

describe("URLs", () => {
  it.each([
    ["postgres://app:@@db:5432/main", "postgres://app:[redacted:url-password]@db:5432/main"],
    ["mongodb+srv://app:@@c0.example.net/db", "mongodb+srv://app:[redacted:url-password]@c0.example.net/db"],
    ["redis://:@@cache:6379/0", "redis://:[redacted:url-password]@cache:6379/0"],
    ["amqp://app:@@mq/vhost", "amqp://app:[redacted:url-password]@mq/vhost"],
    ["https://me:@@git.example.com/x.git", "https://me:[redacted:url-password]@git.example.com/x.git"],
    ["DATABASE_URL=mysql://root:@@h/d", "DATABASE_URL=mysql://root:[redacted:url-password]@h/d"],
    ["url%3Dpostgres%3A%2F%2Fapp%3A@%40db", "url%3Dpostgres%3A%2F%2Fapp%3A[redacted:url-password]%40db"],
  ])("lose only the password: %s", (pattern, expected) => {
    expect(unkeyed(redactText(pattern.replace("@", make("<base62:16>"))))).toBe(expected);
  });

  it("lose a password that holds an at sign", () => {
    const text = `postgres://app:${make("<base62:8>")}@${make("<base62:8>")}@db/main`;
    expect(unkeyed(redactText(text))).toBe("postgres://app:[redacted:url-password]@db/main");
  });

  it.each(["access_token", "token", "api_key", "client_secret", "password", "X-Amz-Signature"])(
    "lose the parameter %s",
    (name) => {
      const redacted = unkeyed(redactText(`https://example.com/p?a=1&${name}=${make("<hex:64>")}&b=2#top`));
      expect(redacted).toMatch(
        new RegExp(`^https://example\\.com/p\\?a=1&${name}=\\[redacted:[a-z-]+\\]&b=2#top$`),
      );
    },
  );
});

describe("clouds", () => {
  it.each([
    ["aws_secret_access_key = @", "<base64:40>", "aws_secret_access_key = [redacted:aws-secret-key]"],
    [`"SecretAccessKey": "@",`, "<base64:40>", `"SecretAccessKey": "[redacted:aws-secret-key]",`],
    [
      "AccountKey=@;EndpointSuffix=x",
      "<base64:86>==",
      "AccountKey=[redacted:azure-storage-key];EndpointSuffix=x",
    ],
    [
      "SharedAccessKeyName=root;SharedAccessKey=@",
      "<base64:43>=",
      "SharedAccessKeyName=root;SharedAccessKey=[redacted:azure-shared-access-key]",
    ],
    [
      "https://x.blob.example/c?sv=2024&sig=@&se=1",
      "<url:43>%3D",
      "https://x.blob.example/c?sv=2024&sig=[redacted:azure-sas-signature]&se=1",
    ],
  ])("%s", (pattern, form, expected) => {
    expect(unkeyed(redactText(pattern.replace("@", make(form))))).toBe(expected);
  });
});

describe("commands and files", () => {
  it.each([
    ["curl -u admin:@ https://x", "curl -u admin:[redacted:command-password] https://x"],
    ["curl --user 'admin:@' x", "curl --user 'admin:[redacted:command-password]' x"],
    ["sshpass -p @ ssh host", "sshpass -p [redacted:command-password] ssh host"],
    ["machine h login me password @", "machine h login me password [redacted:netrc-password]"],
    ["PGPASSWORD=@ psql", "PGPASSWORD=[redacted:password] psql"],
    ["//registry.example.com/:_authToken=@", "//registry.example.com/:_authToken=[redacted:token]"],
    ["mysql --password=@ db", "mysql --password=[redacted:password] db"],
  ])("%s", (pattern, expected) => {
    expect(unkeyed(redactText(pattern.replace("@", make("<base62:14>9"))))).toBe(expected);
  });

  it("replaces the login that Docker stores", () => {
    const text = `{"auths":{"registry":{"auth":"${base64(`me:${make("<base62:10>")}`)}"}}}`;
    expect(unkeyed(redactText(text))).toBe(`{"auths":{"registry":{"auth":"[redacted:basic-credentials]"}}}`);
  });

  it("replaces the words of a wallet", () => {
    const words = Array.from({ length: 12 }, () => make("<letter:6>").toLowerCase()).join(" ");
    expect(unkeyed(redactText(`mnemonic: "${words}"`))).toBe(`mnemonic: "[redacted:seed-phrase]"`);
  });
});
