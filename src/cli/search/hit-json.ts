import type { SearchHit, SearchPage } from "../../sessions/search-index.ts";
import { markPlainly } from "./mark-matches.ts";

const roles: ReadonlySet<string> = new Set(["user", "assistant", "tool"]);

/** Returns a page of hits in the form that `search --json` prints: docs/formats/cli-json.md. */
export function toPageJson({ hits, next, terms, scanned }: SearchPage): object {
  return { hits: hits.map(toHitJson), terms, scanned, next };
}

function toHitJson(hit: SearchHit): object {
  const { session, seq, entry, kind, strand, at, snippet, score, title, project, projectName } = hit;
  return {
    ...{ session, seq, entry, kind, role: roles.has(kind) ? kind : null, strand, at: at.toISOString() },
    ...{
      snippet: markPlainly(snippet),
      matches: snippet.flatMap(({ text, isMatch }) => (isMatch ? [text] : [])),
    },
    ...{ score, title, client: hit.client, branch: hit.branch, project, projectName },
  };
}
