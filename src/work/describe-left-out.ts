import { describePath } from "../git/git-path.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { LeftOut, LeftOutReason } from "./save/leave-out.ts";

const reasons: Readonly<Record<LeftOutReason, string>> = {
  "state-file": "the state itself",
  "secret-name": "its name is that of a file with secrets",
  "secret-content": "it holds what looks like a secret",
  "too-big": "it is over 5 MB",
  environment: "an environment file that no commit has yet",
  personal: "what you alone say of gates",
  "session-file": "the talk of a run is in it",
  repository: "a repository of its own",
  "submodule-changes": "changes inside a submodule; save there",
  unreadable: "it cannot be read",
  "not-a-file": "it is no file",
  "untracked-on-purpose": "you took it out of the index",
  "moved-away": "it is gone, but its likely new place is left out",
};

/** Says which file was not committed, and why. */
export function describeLeftOut({ path, reason, detail }: LeftOut): string {
  const more = detail === undefined ? "" : `, ${detail}`;
  return toPrintableLine(`${describePath(path)} (${reasons[reason]}${more})`);
}
