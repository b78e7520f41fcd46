import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../../src/work/save/leave-out.ts";
import { git } from "../../support/git-repo.ts";
import { repoIn, save, tell } from "../../support/save-repo.ts";
import { tempDir } from "../../support/temp-dir.ts";

const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
const otherToken = `ghp_${"Z9y8X7w6V5u4T3s2R1q0".repeat(2).slice(0, 36)}`;
const little = (text: string) => Buffer.from(text, "utf16le");
const big = (text: string) => little(text).swap16();
const forms = [
  { form: "UTF-16, little end first", encode: little },
  { form: "UTF-16, big end first", encode: big },
  { form: "UTF-16 with a mark, little end first", encode: (text: string) => little(`\ufeff${text}`) },
  { form: "UTF-16 with a mark, big end first", encode: (text: string) => big(`\ufeff${text}`) },
];

describe("a secret", () => {
  it.each(forms)("in $form keeps a file out of the commit", async ({ encode }) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFile(join(root, "notes.txt"), encode(`key\r\ntoken = "${token}"\r\n`));
    await writeFile(join(root, "plain.txt"), encode("nothing of the kind\r\n"));
    const { leftOut, ...saved } = tell(await save(root));
    expect([leftOut, saved.taken]).toEqual([["notes.txt: secret-content"], ["plain.txt"]]);
  });

  it.each(forms)("in $form that the commit has is there on purpose", async ({ encode }) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    for (const name of ["stays.txt", "goes.txt"]) await writeFile(join(root, name), encode(`${token}\r\n`));
    await git(root, "add", "-A");
    await git(root, "commit", "-qm", "on purpose");
    await git(root, "rm", "-q", "goes.txt");
    await writeFile(join(root, "stays.txt"), encode(`${token}\r\nmore\r\n`));
    await writeFile(join(root, "moved.txt"), encode(`${token}\r\nmore\r\n`));
    await writeFile(join(root, "new.txt"), encode(`${otherToken}\r\n`));
    expect(tell(await save(root))).toMatchObject({
      taken: ["goes.txt", "moved.txt", "stays.txt"],
      leftOut: ["new.txt: secret-content"],
    });
  });

  it("is not looked for in what is no text", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFile(join(root, "data.bin"), Buffer.from(`\0\0\0\x01\x02\0\0${token}\n`));
    expect(tell(await save(root))).toMatchObject({ taken: ["data.bin"], leftOut: [] });
  });
});

describe("the text of a file", () => {
  it("is read as it was written, with a mark, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeText(little(`\ufeff${text}`))).toBe(`\ufeff${text}`);
        expect(decodeText(big(`\ufeff${text}`))).toBe(`\ufeff${text}`);
      }),
    );
  });

  it("is read as it was written, without a mark, where it is mostly English, also cut in the middle", () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abc =\r\n"ü'), minLength: 1 });
    fc.assert(
      fc.property(letters, (text) => {
        expect([decodeText(little(text)), decodeText(big(text)), decodeText(Buffer.from(text))]).toEqual([
          ...[text, text, text],
        ]);
        expect(decodeText(Buffer.concat([big(text), Buffer.from([0])]))).toBe(text);
      }),
    );
  });
});
