import { describe, expect, it } from "vitest";
import { parseStoreUrl } from "../../src/storage/parse-store-url.ts";

describe("the address of a store", () => {
  it("says where it is, and shows no password", () => {
    expect(parseStoreUrl("postgres://me:p%40ss@db.example.com:6543/team?sslmode=verify-full")).toEqual({
      host: "db.example.com",
      port: 6543,
      database: "team",
      user: "me",
      password: "p@ss",
      ssl: { rejectUnauthorized: true },
      shown: "db.example.com:6543/team",
    });
  });

  it.each([
    { url: "postgres://localhost/x", ssl: false },
    { url: "postgres://127.0.0.1/x", ssl: false },
    { url: "postgres://[::1]/x", ssl: false },
    { url: "postgresql://db.example.com/x", ssl: { rejectUnauthorized: true } },
    { url: "postgres://localhost.example.com/x", ssl: { rejectUnauthorized: true } },
    { url: "postgres://db.example.com/x?sslmode=disable", ssl: false },
    { url: "postgres://db.example.com/x?sslmode=require", ssl: { rejectUnauthorized: false } },
  ])("is encrypted off this machine unless it says otherwise: $url", ({ url, ssl }) => {
    expect(parseStoreUrl(url).ssl).toEqual(ssl);
  });

  it("may have parameters that a provider puts there", () => {
    const url = "postgres://h/x?sslmode=require&channel_binding=require";
    expect(parseStoreUrl(url)).toMatchObject({ host: "h", database: "x" });
  });

  it.each([
    "",
    "nonsense s3cret",
    "mysql://me:s3cret@h/x",
    "postgres:///x",
    "postgres://h/x?sslmode=s3cret",
    "postgres://h/x?user=me&password=s3cret",
    "postgres://h/x?sslrootcert=s3cret",
    "postgres://me:pa#s3cret@h/x",
    "postgres://me:12#s3cret@h/x",
    "postgres://me:12/s3cret@h/x",
    "postgres://me:12?s3cret@h/x",
  ])("is refused without being repeated: %s", (url) => {
    const message = expect.not.stringContaining("s3cret");
    expect(() => parseStoreUrl(url)).toThrow(
      expect.objectContaining({ code: "bad-store-url", kind: "config", message }),
    );
  });
});
