import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { expectHidden, unmark, withoutKinds } from "./marked-texts.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const nested = (value: unknown): string => JSON.stringify(JSON.stringify(value));

describe("values of letters only", () => {
  it.each([
    "password=«letmeinplease»",
    "password: «letmeinplease»",
    "db_password=«sunshine»",
    "db:\n  password: «sunshine»\n  port: 5432\n",
    "- password: «sunshine» # of the test server",
    "API_TOKEN=«abcdefghij»",
    "API_TOKEN=«AbcDefGhiJkl»",
    "api_token=«abcdefghijklmnop»",
    "  API_TOKEN: «abcdefghijklmnop»\n",
    "[client]\npassword = «sunshine»\n",
    "<password>«sunshine»</password>",
    "export DB_PASSWORD=«hunter»",
    'password = "«letmein»"',
    "const password = '«sunshine»';",
    '{"password": "«letmein»"}',
    '{"db_password":"«Sunshine»","port":1}',
    String.raw`{\"password\":\"«letmein»\"}`,
    "https://example.com/login?user=me&password=«sunshine»&next=1",
    "Server=db;User Id=sa;Password=«sunshine»;Encrypt=true",
    "host=db user=app password=«sunshine» dbname=main",
    "spring.datasource.password=«sunshine»",
    "tool --password «letmein»",
    "tool --password «letmein» --verbose",
    "tool --password=«letmein» db",
    "tool --api-token «abcdefghij»",
    "java -Ddb.password=«sunshine» -jar app.jar",
  ])("are replaced where a name sets them: %s", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });
});

describe("values with signs", () => {
  it.each([
    `DB_PASSWORD=«ab"cd'ef9»`,
    String.raw`DB_PASSWORD=«ab\cd9ef»`,
    "DB_PASSWORD=«pa$sw0rd»",
    "DB_PASSWORD=«$ecret!23»",
    `DB_PASSWORD="«my secret 9 pass»"`,
    `DB_PASSWORD="«$ecret and more»" npm start`,
    "DB_PASSWORD=«a[b]c{d}9»",
    "DB_PASSWORD=«a,b,c9d»",
    "DB_PASSWORD=«{ab}cd9»",
    "DB_PASSWORD=«<ab>cd9»",
    "DB_PASSWORD=«ab(cd)9»\n",
    "db_password=«a,b9[c]d»",
    "password: «ab,cd[9]x»",
    "password: «ab|cd{9}x»\n",
    String.raw`{"password":"«ab\"cd9ef»"}`,
    String.raw`{"password":"«ab\\cd9ef»"}`,
    String.raw`{"password":"«ab\\»"}`,
    `{"password":"«pa$$w0rd»"}`,
    `{"password":"«my secret 9 pass»"}`,
    `{"password":"«correct horse battery staple»"}`,
    `{"password":"«a[b](c)9»"}`,
    `{"password":"«ab,cd9»"}`,
    `{"password":"«{ab}cd9»","last":1}`,
    nested({ password: '«ab"cd9ef»', last: "x" }),
    nested({ password: "«ab\\cd9ef»", last: "x" }),
    nested({ password: "«ab9\\»", last: "x" }),
    JSON.stringify({ text: nested({ password: '«ab"cd9»', last: "x" }) }),
    `["--password", "«my secret 9»"]`,
  ])("are replaced to their end: %s", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });
});

describe("names that stand apart from their values", () => {
  it.each([
    `{"name":"DB_PASSWORD","value":"«sunshine»"}`,
    nested({ name: "DB_PASSWORD", value: "«sunshine»" }),
    `{\n  "name": "DB_PASSWORD",\n  "value": "«sunshine»"\n}`,
    "- name: DB_PASSWORD\n  value: «sunshine»\n",
    `{"ParameterKey":"DBPassword","ParameterValue":"«sunshine»"}`,
    `{"password":{"value":"«sunshine»"}}`,
    `{"db_password": {\n  "value": "«sunshine»",\n  "type": "string"}}`,
    nested({ password: { value: "«sunshine»" } }),
    `{"password":«12345678»}`,
    `{"passwords":["«sunshine»","«football»"]}`,
    `passwords = ['«sunshine»', '«football»']`,
    "ENV DB_PASSWORD «sunshine»",
    "FROM x\nENV DB_PASSWORD «sunshine»\nRUN y",
    "npm config set //registry.example.com/:_password «c2VjcmV0c2Vj»",
    "//registry.example.com/:_password=«c2VjcmV0»",
    `variable "db_password" { default = "«sunshine»" }`,
    `variable "db_password" {\n  type      = string\n  sensitive = true\n  default   = "«sunshine»"\n}`,
    `output "db_password" {\n  sensitive = true\n  value = "«sunshine»"\n}`,
    `Content-Disposition: form-data; name="password"\r\n\r\n«sunshine»\r\n--x`,
    String.raw`{"body":"form-data; name=\"password\"\r\n\r\n«sunshine»\r\n--x"}`,
    "CREATE USER a WITH PASSWORD '«sunshine»'",
    "alter user a with password '«sunshine»';",
    "CREATE ROLE a LOGIN ENCRYPTED PASSWORD '«sun shine»' SUPERUSER",
    "| DB_PASSWORD | «hunter22» |",
    "| `DB_PASSWORD` | `«hunter22»` | of the database |",
    "| name | value |\n|---|---|\n| **password** | «hunter22» |",
    "**Password:** «hunter22»",
    "**Password**: «hunter22»",
    "- **Password:** `«hunter22»`",
    "password:\t«hunter22»",
    "DB_PASSWORD\t«hunter22»",
  ])("still name them: %s", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });
});
