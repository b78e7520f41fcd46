import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { renderJson, renderText } from "../../src/formats/render-sexp-session.ts";
import { parseSexp, type Sexp } from "../../src/formats/sexp/parse-sexp.ts";
import type { Json } from "../../src/sessions/entry.ts";
import { mainStrand } from "../../src/sessions/ids.ts";
import { one, openWithSession } from "../contract/test-log.ts";
import { anyNewEntry, anyText } from "../support/entries.ts";
import { exportAll } from "../support/exchange.ts";
import { tempDir } from "../support/temp-dir.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

/** Reads forms with evaluation off, and prints what it has read: characters by their numbers, doubles by their bits. */
const program = `
(setf *read-eval* nil)
(defun show (form)
  (cond ((stringp form) (format t "S~{ ~D~}~%" (map 'list #'char-code form)))
        ((integerp form) (format t "I ~D~%" form))
        ((typep form 'double-float)
         (format t "D ~D ~D~%" (sb-kernel:double-float-high-bits form) (sb-kernel:double-float-low-bits form)))
        ((null form) (format t "NIL~%"))
        ((symbolp form) (format t "~:[~;:~]~A~%" (keywordp form) (symbol-name form)))
        ((listp form) (format t "(~%") (mapc #'show form) (format t ")~%"))
        (t (error "What is ~S?" form))))
(with-open-file (in (second sb-ext:*posix-argv*) :external-format :utf-8)
  (loop for form = (read in nil :end-of-file) until (eq form :end-of-file) do (show form)))
`;

/** Describes what our own reader has read in the same way. */
function describeForm(form: Sexp): readonly string[] {
  switch (form.type) {
    case "string":
      return [`S${[...form.text].map((character) => ` ${character.codePointAt(0)}`).join("")}`];
    case "number":
      return [describeNumber(form.value)];
    case "symbol":
      return [form.name.toUpperCase()];
    case "list":
      return form.items.length === 0 ? ["NIL"] : ["(", ...form.items.flatMap(describeForm), ")"];
  }
}

/** Which of the two a number is, its form tells: every other number is written as a double. */
function describeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return `I ${value}`;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return `D ${view.getInt32(0)} ${view.getUint32(4)}`;
}

async function readWithSbcl(text: string): Promise<readonly string[]> {
  await using dir = await tempDir();
  await writeFile(dir.join("read.lisp"), program);
  await writeFile(dir.join("forms.sexp"), text);
  const args = ["--script", dir.join("read.lisp"), dir.join("forms.sexp")];
  const { stdout } = await promisify(execFile)("sbcl", args, {
    maxBuffer: 1e8,
    env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" },
  });
  return stdout.trimEnd().split("\n");
}

it("sbcl reads every string and value just as our own reader does", async () => {
  const anyValue = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  const values = fc.sample(anyValue, { numRuns: 300, seed: 7 });
  const numbers = [0.1, -1.5, 1e21, 1e-300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 2 ** 53];
  const texts = fc.sample(anyText, { numRuns: 600, seed: 7 });
  const forms = [...texts.map(renderText), ...[...values, ...numbers].map(renderJson)];
  // As a file has it: what UTF-8 cannot hold must not be in it.
  const stored = forms.map((form) => Buffer.from(form).toString("utf8"));
  expect(stored).toEqual(forms);
  expect(await readWithSbcl(forms.join("\n"))).toEqual(
    forms.flatMap((form) => describeForm(parseSexp(form))),
  );
});

it("sbcl reads an exported session just as our own reader does", async () => {
  await using test = await openWithSession(openSqliteTestLog);
  const entries = fc.sample(anyNewEntry, { numRuns: 400, seed: 11 });
  const onMain = entries.map((entry) => [entry.id, { ...entry, strand: mainStrand }] as const);
  await test.log.append(one, [...new Map(onMain).values()]);
  const text = await exportAll(test, "sexp");
  const found = await readWithSbcl(text);
  expect(found).toEqual(describeForm(parseSexp(text)));
  expect(found.length).toBeGreaterThan(500);
});
