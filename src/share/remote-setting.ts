import { BadSetting } from "../lib/bad-setting.ts";
import { BadStoreUrl, parseStoreUrl, type StoreUrl } from "../storage/parse-store-url.ts";

/** The store on a server that a user shares projects through. */
export interface RemoteSetting {
  readonly url: StoreUrl;
  /** The projects that `carryon sync` keeps in step with it, by name or id: none unless they are named. */
  readonly projects: "all" | readonly string[];
}

const hint =
  "Write `remote: postgres://user@host/database`, or a map of `url` and `projects`: a list of names, or `all`.";

/** Reads the setting `remote`: an address, or an address and which projects are shared. */
export function readRemote(value: unknown): RemoteSetting {
  if (typeof value === "string") return { url: readUrl(value), projects: [] };
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadSetting("remote must be an address, or a map", hint);
  const { url, projects = [], ...others } = value as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new BadSetting("remote has a field that there is not", hint, [unknown]);
  if (typeof url !== "string") throw new BadSetting("remote needs a url", hint, ["url"]);
  return { url: readUrl(url), projects: readProjects(projects) };
}

function readUrl(text: string): StoreUrl {
  try {
    return parseStoreUrl(text);
  } catch (error) {
    if (error instanceof BadStoreUrl)
      throw new BadSetting(`remote is not a valid address: ${error.reason}`, error.hint);
    throw error;
  }
}

function readProjects(value: unknown): RemoteSetting["projects"] {
  if (value === "all") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw new BadSetting("projects must be a list of names, or all", hint, ["projects"]);
}
