/** What a hook loads when a payload may hold a secret: bundled apart, because most hold none. */
export { makeSafe } from "./make-safe.ts";
