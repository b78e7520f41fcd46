/** What an import takes at most, so that no file can fill memory or the store. */
export interface ImportLimits {
  /** The longest line of a file that is read line by line. */
  readonly lineBytes: number;
  /** The largest file, as it is after decryption. */
  readonly totalBytes: number;
  /** The largest file that has to be read as a whole. */
  readonly documentBytes: number;
}

export const importLimits: ImportLimits = {
  lineBytes: 8_000_000,
  totalBytes: 1_000_000_000,
  documentBytes: 64_000_000,
};

/** How many levels the line or the document of an entry has around what the entry says. */
export const levelsAround = 8;
