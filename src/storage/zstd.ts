let loaded: typeof import("node:zlib") | undefined;

/** Loads it when it is needed: the beginning of a session mostly has nothing compressed, and loading takes longer than most of it. */
function zlib() {
  loaded ??= process.getBuiltinModule("node:zlib");
  return loaded;
}

/** Returns a text as it is stored where it is long. */
export function compressText(text: string): Uint8Array {
  return zlib().zstdCompressSync(text);
}

/** Returns the text that was compressed. */
export function decompressText(bytes: Uint8Array): string {
  return zlib().zstdDecompressSync(bytes).toString("utf8");
}
