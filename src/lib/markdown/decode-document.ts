import { isUtf8 } from "node:buffer";
import { describeExcess } from "./describe-excess.ts";

/** The text of a document, or why its bytes are none that can be read; such a file is never rewritten. */
export type Decoded =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "undecodable"; readonly reason: string };

/** Decodes the bytes of a Markdown document. A byte order mark stays, so that it can be written back. */
export function decodeDocument(bytes: Uint8Array): Decoded {
  if (bytes.includes(0)) return { type: "undecodable", reason: "it is binary, or not UTF-8" };
  if (!isUtf8(bytes)) return { type: "undecodable", reason: "it is not UTF-8" };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const excess = describeExcess(text);
  return excess === undefined ? { type: "text", text } : { type: "undecodable", reason: `it ${excess}` };
}
