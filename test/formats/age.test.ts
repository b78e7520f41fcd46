import { describe, expect, it } from "vitest";
import { renderArmor } from "../../src/formats/age-armor.ts";
import { decryptSource, isEncrypted } from "../../src/formats/decrypt.ts";
import { encrypt } from "../../src/formats/encrypt.ts";
import { collect } from "../support/entries.ts";
import { sourceOf } from "../support/exchange.ts";

/** As cheap as can be: what is tried here is not how long guessing takes. */
const cheap = { workFactor: 1 };
const text = "grün 日本 ".repeat(20_000);

async function* piecesOf(whole: string): AsyncGenerator<string> {
  for (let from = 0; from < whole.length; from += 7000) yield whole.slice(from, from + 7000);
}

async function encrypted(whole = text): Promise<Buffer> {
  return Buffer.concat(await collect(encrypt(piecesOf(whole), "open sesame", cheap)));
}

async function decrypted(bytes: Uint8Array | string, passphrase = "open sesame"): Promise<string> {
  const source = await decryptSource(sourceOf(bytes), passphrase);
  return Buffer.concat(await collect(source.open())).toString("utf8");
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe("an encrypted export", () => {
  it("comes back with the passphrase, as bytes and as lines of text, as often as it is read", async () => {
    const bytes = await encrypted();
    expect(bytes.includes("日本")).toBe(false);
    const lines = (await collect(renderArmor(once(bytes)))).join("");
    expect(lines).toMatch(
      /^-----BEGIN AGE ENCRYPTED FILE-----\n(?:[A-Za-z0-9+/=]{1,64}\n)+-----END AGE ENCRYPTED FILE-----\n$/,
    );
    for (const form of [bytes, lines]) {
      expect(await isEncrypted(sourceOf(form))).toBe(true);
      const source = await decryptSource(sourceOf(form), "open sesame");
      for (let times = 0; times < 2; times += 1)
        expect(Buffer.concat(await collect(source.open())).toString("utf8")).toBe(text);
    }
    expect(await isEncrypted(sourceOf(text))).toBe(false);
  });

  it("says that a passphrase is wrong", async () => {
    await expect(decrypted(await encrypted("x"), "open sesam")).rejects.toMatchObject({
      kind: "usage",
      code: "wrong-passphrase",
      message: "The passphrase does not open the file, or the file is damaged.",
    });
  });

  it("is refused with a flipped bit anywhere, and cut off at any byte", async () => {
    const bytes = await encrypted("short");
    for (let at = 0; at < bytes.length; at += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const codes = ["bad-import", "wrong-passphrase"];
      for (const damaged of [flipped, bytes.subarray(0, at)]) {
        const code = await decrypted(damaged).then(
          (whole) => `it was read: ${whole}`,
          ({ code }: { code?: string }) => code,
        );
        expect({ at, code }).toEqual({ at, code: expect.toBeOneOf(codes) });
      }
    }
  });

  it("is refused as lines of text that were changed or cut off", async () => {
    const lines = (await collect(renderArmor(once(await encrypted("short"))))).join("").split("\n");
    for (const changed of [lines.slice(0, -2), lines.with(1, "!!!"), [...lines.slice(0, -1), "more"]])
      await expect(decrypted(changed.join("\n"))).rejects.toMatchObject({ code: "bad-import" });
  });
});
