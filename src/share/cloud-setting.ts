import { isAbsolute } from "node:path";
import { BadSetting } from "../lib/bad-setting.ts";
import { BadStoreUrl, parseStoreUrl, type StoreUrl } from "../storage/parse-store-url.ts";

/** The store that runs are saved to as well, for other machines: on a server, or a home folder on a disk that goes along. */
export type CloudSetting =
  | { readonly type: "server"; readonly url: StoreUrl }
  | { readonly type: "folder"; readonly path: string };

const hint = "Write `cloud: postgres://user@host/database`, or the whole path of a folder.";

/** Reads the setting `cloud`. */
export function readCloud(value: unknown): CloudSetting {
  if (typeof value !== "string") throw new BadSetting("cloud must be text", hint);
  if (isAbsolute(value)) return { type: "folder", path: value };
  try {
    return { type: "server", url: parseStoreUrl(value) };
  } catch (error) {
    if (error instanceof BadStoreUrl)
      throw new BadSetting(`cloud is not a valid address: ${error.reason}`, error.hint);
    throw error;
  }
}
