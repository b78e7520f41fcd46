import type { Dialect } from "../sql-driver.ts";

/**
 * From where on the entries of a copy that went its own way describe it: the shared ones too, because it is the same session.
 *
 * Null for everything else, where those describe it that come after the fork.
 */
export const copies = (dialect: Dialect): string => `
ALTER TABLE replica ADD COLUMN described_from ${dialect.integer};
`;
