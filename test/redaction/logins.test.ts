import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { expectHidden, unmark, withoutKinds } from "./marked-texts.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const random = makeRandom(77);
const make = (form: string): string => drawFake(form, random).text;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const jwt = ["eyJ<url:33>", "eyJ<url:60>", "<url:43>"].map(make);

describe("passwords beside the name of a user", () => {
  it.each([
    "smtp://me@example.org:«sunshine»@mail.example.org:587",
    "postgres://app:«sun/shine»@db/main",
    "postgres://app:«pa/ss9word»@db.example.com:5432/main",
    "postgres://app:«pa#ss?word»@db/main",
    "postgres://app:«pa$sw0rd»@db/main",
    "jdbc:oracle:thin:scott/«tiger99»@host:1521:x",
    "jdbc:oracle:thin:scott/«sunshine»@//host:1521/service",
    "localhost:5432:main:app:«sunshine»",
    "# comment\n*:*:*:app:«sunshine»\n",
    "db.example.com:5433:*:app:«sun!shine»\n",
    "machine example.com login me password «sunshine»",
    "machine example.com\n  login me\n  password «sunshine»\n",
    "CREATE USER app IDENTIFIED BY '«sunshine»'",
    "create user 'app'@'%' identified with mysql_native_password by '«sunshine»';",
    `{"auths":{"registry":{"auth":"«${base64("me:sunshine")}»"}}}`,
    `{"auths":{"registry":{"auth":"«${base64("a token without a name")}»"}}}`,
    `//registry.example.com/:_auth=«${base64("me:sunshine")}»`,
    `_auth="«${base64("only a secret")}»"`,
    `Authorization: AWS4-HMAC-SHA256 SignedHeaders=host, Signature=«${make("<hex:64>")}»`,
    `token «${jwt.join("\n.")}» and more`,
    `token «${jwt.join(".\n")}» and more`,
    `+«${jwt.join("\r\n+  .")}»\n+more`,
    `"«${jwt.join(String.raw`\n.`)}»"`,
  ])("are replaced: %s", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });

  it.each([
    "login or password incorrect; login with password authentication",
    "Your machine needs a login and a password to start.",
    "auth: required, auth=disabled, auth: AuthContext, auth: basicAuthHandlers",
    "127.0.0.1:5432:5432 and fe80:5432:1:2:3:4",
    "user:*:read:project:settings",
    `signature=${"0".repeat(64)}`,
    "postgres://app:{password}@db and postgres://app:<password>@db and postgres://app:$PASSWORD@db",
    `text ${jwt[0]}\nand more`,
  ])("leave others as they are: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
