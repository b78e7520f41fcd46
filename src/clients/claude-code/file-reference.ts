import { hash } from "node:crypto";
import type { FilePart, JsonObject } from "../../sessions/entry.ts";
import { objectOf, textOf } from "./wire.ts";

/** Names a file by what can be told of it; its bytes stay with the client. */
export function referTo(
  type: FilePart["type"],
  base64: string | undefined,
  facts: Omit<FilePart, "type" | "bytes" | "sha256">,
): FilePart {
  if (base64 === undefined) return { type, ...facts };
  const bytes = Buffer.from(base64, "base64");
  return { type, ...facts, bytes: bytes.byteLength, sha256: hash("sha256", bytes, "hex") };
}

/** Turns a picture or a document of a message into a reference. */
export function toFilePart(block: JsonObject): FilePart {
  const source = objectOf(block, "source");
  const isImage = block.type === "image";
  const location = textOf(source, "url") ?? textOf(source, "file_id");
  const name = textOf(block, "title");
  return referTo(isImage ? "image" : "file", source.type === "base64" ? textOf(source, "data") : undefined, {
    mediaType: textOf(source, "media_type") ?? (isImage ? "image/*" : "application/octet-stream"),
    ...(name === undefined ? {} : { name }),
    ...(location === undefined ? {} : { location }),
  });
}
