import { isUtf8 } from "node:buffer";
import { formatBytes } from "../../lib/describe.ts";

/** How a text was written down. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "unknown";

/** What the bytes of a file are: a text, or something that has no lines, by its name. */
export type FileContent =
  | { readonly type: "text"; readonly text: string; readonly encoding: Encoding }
  | { readonly type: "binary"; readonly what: string };

/** Where git and grep look for what no text has. */
const lookedAt = 8000;

/** Recognises what bytes are. A text keeps its mark of the byte order, which is part of the file. */
export function readContent(bytes: Buffer): FileContent {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { type: "text", text: decode(bytes, wide), encoding: wide };
  if (bytes.subarray(0, lookedAt).includes(0) || isDocument(bytes))
    return { type: "binary", what: `${nameKind(bytes)} of ${formatBytes(bytes.length)}` };
  const encoding = isUtf8(bytes) ? "utf-8" : "unknown";
  return { type: "text", text: decode(bytes, "utf-8"), encoding };
}

function decode(bytes: Buffer, encoding: string): string {
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

function wideEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
}

/** Kinds of files by what they begin with, a character for each byte. */
const kinds: readonly (readonly [start: string, what: string])[] = [
  ["\x89PNG\r\n", "a PNG picture"],
  ["\xff\xd8\xff", "a JPEG picture"],
  ["GIF8", "a GIF picture"],
  ["BM", "a BMP picture"],
  ["\0\0\x01\0", "an icon"],
  ["RIFF", "a RIFF file (WebP, WAV or AVI)"],
  ["%PDF-", "a PDF document"],
  ["PK\x03\x04", "a ZIP archive (or an office document, or a JAR)"],
  ["\x1f\x8b", "a gzip archive"],
  ["\x28\xb5\x2f\xfd", "a zstd archive"],
  ["\xfd7zXZ", "an xz archive"],
  ["BZh", "a bzip2 archive"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["\x7fELF", "an ELF program"],
  ["\xcf\xfa\xed\xfe", "a Mach-O program"],
  ["\xca\xfe\xba\xbe", "a Java class or a Mach-O program"],
  ["MZ", "a Windows program"],
  ["\0asm", "a WebAssembly module"],
  ["SQLite format 3\0", "an SQLite database"],
  ["wOFF", "a font"],
  ["wOF2", "a font"],
  ["OggS", "an Ogg file"],
  ["ID3", "an MP3 file"],
];

function nameKind(bytes: Buffer): string {
  const start = bytes.subarray(0, 16).toString("latin1");
  if (bytes.subarray(4, 8).toString("latin1") === "ftyp") return "an MP4 file";
  return kinds.find(([sign]) => start.startsWith(sign))?.[1] ?? "a binary file";
}

/** A PDF may begin like a text, and is none. */
function isDocument(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString("latin1") === "%PDF-";
}
