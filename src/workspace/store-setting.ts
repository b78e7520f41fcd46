import { BadSetting } from "../lib/bad-setting.ts";
import { BadStoreUrl, parseStoreUrl, type StoreUrl } from "../storage/parse-store-url.ts";
import { exampleHint } from "./parse-config.ts";

/** Reads the setting `store`. */
export function readStore(value: unknown): StoreUrl {
  if (typeof value !== "string") throw new BadSetting("store must be text", exampleHint);
  try {
    return parseStoreUrl(value);
  } catch (error) {
    if (error instanceof BadStoreUrl)
      throw new BadSetting(`store is not a valid address: ${error.reason}`, error.hint);
    throw error;
  }
}
