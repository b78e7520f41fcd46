import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSession } from "../../src/handover/parse-session.ts";
import {
  renderSession,
  rewriteSession,
  toPart,
  toSession,
} from "../../src/handover/session/rewrite-session.ts";
import { emptySession, type SessionDoc, sessionParts } from "../../src/handover/session-doc.ts";
import { fold } from "../../src/lib/markdown/fold.ts";
import { cases } from "../support/cases.ts";
import { nastyLines, nastyText } from "./nasty-text.ts";

const names = sessionParts.map(({ part }) => part);

const anyDoc = fc
  .tuple(...names.map(() => nastyText))
  .map(
    (values) =>
      Object.fromEntries(names.map((part, index) => [part, values[index]])) as unknown as SessionDoc,
  );

const anyChange = fc.tuple(fc.constantFrom(...names), nastyText);

/** A document with things in it that nobody but its author knows. */
const anyDocument = fc.oneof(
  anyDoc.map(renderSession),
  nastyLines,
  fc.tuple(anyDoc, nastyLines).map(([doc, more]) => `${renderSession(doc)}${more}`),
  anyDoc.map((doc) => renderSession(doc).replaceAll("\n", "\r\n").trimEnd()),
  fc.tuple(anyDoc, nastyLines, fc.nat(60)).map(([doc, more, at]) => {
    const lines = renderSession(doc).split("\n");
    return [...lines.slice(0, at), ...more.split("\n"), ...lines.slice(at)].join("\n");
  }),
);

describe("a session.md that is rendered", () => {
  // Seed 0: 3.3
  it("is read back as it was, whatever its parts hold", () => {
    fc.assert(
      fc.property(anyDoc, (doc) => {
        expect(parseSession(renderSession(doc))).toEqual({ doc: toSession(doc), problems: [] });
      }),
      { numRuns: 100 },
    );
  });

  it("holds parts that stay as they are when they are written again", () => {
    fc.assert(
      fc.property(anyDoc, (doc) => {
        const once = toSession(doc);
        expect(toSession(once)).toEqual(once);
      }),
      { numRuns: 100 },
    );
  });
});

describe("rewriteSession", () => {
  it("returns the same text when nothing is new, for any document", () => {
    fc.assert(
      fc.property(anyDocument, (text) => {
        fc.pre(!parseSession(text).problems.some(({ code }) => code === "conflict-marker"));
        expect(rewriteSession(text, parseSession(text).doc)).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  it("changes one part and no other, in any document", () => {
    fc.assert(
      fc.property(anyDocument, anyChange, (text, [part, value]) => {
        const { doc, problems } = parseSession(text);
        fc.pre(!problems.some(({ code }) => code === "conflict-marker" || code === "left-open"));
        const after = parseSession(rewriteSession(text, { [part]: value })).doc;
        expect(after).toEqual({ ...doc, [part]: toPart(part, value) });
      }),
      { numRuns: cases(200) },
    );
  });

  it("keeps every line that does not belong to the part, in order", () => {
    fc.assert(
      fc.property(anyDocument, anyChange, (text, [part, value]) => {
        const { problems } = parseSession(text);
        fc.pre(!problems.some(({ code }) => code === "conflict-marker" || code === "left-open"));
        const lines = text.split(/\r?\n/);
        const own = parseSession(text).doc[part];
        const rest = rewriteSession(text, { [part]: value }).split(/\r?\n/);
        for (const line of lines) {
          if (own.includes(fold(line)) || own.includes(line.trim()) || /None|なし|-|\*\*|^\s*$/.test(line))
            continue;
          expect(rest).toContain(line);
        }
      }),
      { numRuns: 100 },
    );
  });
});

it("an empty document has empty parts", () => {
  expect(parseSession("")).toEqual({ doc: emptySession, problems: [] });
});
