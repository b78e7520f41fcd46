import { toRules } from "../rule.ts";

/** How git says that changes do not fit together. */
export const gitRules = toRules(
  { goal: "merge", certainty: "summary" },
  {
    "git merge": {
      pattern:
        /^(?:CONFLICT|충돌|KONFLIKT|CONFLIT|CONFLICTO|冲突|衝突) ?[(（][^)）]{1,60}[)）][:：] ?|^Automatic merge failed; fix conflicts|^자동 병합이 실패했습니다|^error: could not apply [0-9a-f]{4,64}\.\.\. |^(?:error: )?(?:Committing|Merging|Pulling|Cherry-picking|Reverting) is not possible because you have unmerged files|^Patch failed at \d{4} |^Applied patch to '.{1,300}' with conflicts\./,
      detail: /^(?:CONFLICT|충돌|KONFLIKT|CONFLIT|CONFLICTO|冲突|衝突) ?[(（][^)）]{1,60}[)）][:：]|^U\t\S/,
      partPassed:
        /^\[[^\]]{1,200} [0-9a-f]{7,40}\] |^Successfully rebased and updated |^Fast-forward$|^Merge made by the '|^Already up to date\.|^HEAD is now at |^(?:nothing to commit|nothing added to commit)\b/,
      kinds: ["merge", "commit"],
    },
    "git status": {
      pattern:
        /^(?:Unmerged paths:|병합하지 않은 경로:|Nicht zusammengeführte Pfade:|You have unmerged paths\.|(?:UU|AA|DD|AU|UA|DU|UD) \S|u (?:UU|AA|DD|AU|UA|DU|UD) )/,
      detail:
        /^\t(?:both modified|both added|both deleted|deleted by us|deleted by them|added by us|added by them): /,
      partPassed: /^nothing to commit, working tree clean$/,
      kinds: ["git-status"],
    },
  },
);
