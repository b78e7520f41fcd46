import { AppError } from "../../lib/app-error.ts";
import type { ExchangeChoice } from "../../share/exchange-here.ts";
import { isStoreName } from "../../share/open-other-store.ts";
import type { ProjectChoice } from "../../workspace/choose-project.ts";

/** What is exchanged, and how it is told. */
export interface ShareChoice extends ExchangeChoice {
  /** Whether a store may be made in a folder that has none. */
  readonly create?: true | undefined;
  readonly json?: true | undefined;
}

/** Reads the words after `push` and `pull`: a store comes first, if it is given; sessions follow. */
export function readShareChoice(
  words: readonly string[],
  options: ProjectChoice & Pick<ShareChoice, "create" | "json">,
): ShareChoice {
  const [first = "", ...rest] = words;
  const hasStore = isStoreName(first);
  const ids = hasStore ? rest : words;
  if (ids.some(isStoreName)) throw badShare("A store comes first, and there is one.");
  if (ids.length > 0 && (options.all || options.project !== undefined))
    throw badShare("Name sessions, or a project.");
  return { ...options, store: hasStore ? first : undefined, ids };
}

function badShare(message: string): AppError {
  return new AppError(message, {
    kind: "usage",
    code: "bad-share",
    hint: "Write `carryon push STORE ID…`, or `carryon push STORE --project NAME`.",
  });
}
