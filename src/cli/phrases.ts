/** The languages of the questions; English stands for every other. */
const languages = ["en", "ja", "ko", "zh"];

type Phrase = readonly [english: string, japanese: string, korean: string, chinese: string];

/** The questions that a person is asked on a terminal, and the answers to choose from. `{…}` is filled in. */
export const phrases = {
  "handover.goal": [
    "What is the goal of this session?",
    "このセッションの目標は何ですか?",
    "이 세션의 목표는 무엇입니까?",
    "本次会话的目标是什么?",
  ],
  "handover.activeGoals": [
    "Which goals are active?",
    "現在の目標は何ですか?",
    "진행 중인 목표는 무엇입니까?",
    "当前的目标有哪些?",
  ],
  "handover.accomplished": ["What was done?", "何をしましたか?", "무엇을 했습니까?", "完成了什么?"],
  "handover.next": ["What is next?", "次に何をしますか?", "다음은 무엇입니까?", "下一步是什么?"],
  "handover.decisions": [
    "Which decisions are not written down yet?",
    "まだ記録していない決定は何ですか?",
    "아직 기록하지 않은 결정은 무엇입니까?",
    "哪些决定还没有记录?",
  ],
  "handover.why": [
    'Why "{name}"? (empty: none)',
    "「{name}」の理由は? (空: なし)",
    '"{name}"의 이유는? (비우면 none)',
    "“{name}”的原因是什么? (留空: none)",
  ],
  "handover.follows": [
    'What follows from "{name}"? (empty: nothing)',
    "「{name}」の影響は? (空: なし)",
    '"{name}"의 영향은? (비우면 none)',
    "“{name}”有什么影响? (留空: none)",
  ],
  "handover.warnings": [
    "What must the next session beware of?",
    "次のセッションで注意すべきことは何ですか?",
    "다음 세션에서 주의할 점은 무엇입니까?",
    "下次会话需要注意什么?",
  ],
  "handover.tone": [
    "In what tone and mood do you work?",
    "どのような雰囲気や調子で作業していますか?",
    "어떤 분위기로 작업하고 있습니까?",
    "工作的语气和氛围是怎样的?",
  ],
  "handover.exceptions": [
    "Which exceptions to steering are new?",
    "ステアリングへの新しい例外は何ですか?",
    "스티어링에 대한 새 예외는 무엇입니까?",
    "对 steering 有哪些新的例外?",
  ],
  "handover.steeringRef": [
    "Which steering document do they depart from? (empty: none)",
    "どのステアリング文書の例外ですか? (空: なし)",
    "어느 스티어링 문서에 대한 예외입니까? (비우면 none)",
    "这些例外针对哪个 steering 文档? (留空: none)",
  ],
  "handover.many": [
    "one a line, an empty one ends",
    "1 行に 1 つ、空行で終了",
    "한 줄에 하나, 빈 줄로 끝",
    "每行一项,空行结束",
  ],
  "load.what": ["What now?", "どうしますか?", "어떻게 할까요?", "现在做什么?"],
  "load.blocker": [
    "Resolve the blocker first",
    "先にブロッカーを解決する",
    "먼저 블로커를 해결",
    "先解决阻塞问题",
  ],
  "load.blocker.detail": [
    "Runs the command that you have approved for it, or says what to do.",
    "承認済みのコマンドを実行するか、対処方法を表示します。",
    "승인한 명령을 실행하거나 할 일을 알려 줍니다.",
    "运行您已批准的命令,或说明该怎么做。",
  ],
  "load.commit": ["Commit the changes", "変更をコミットする", "변경 사항을 커밋", "提交更改"],
  "load.commit.detail": [
    "As `carryon save` does.",
    "`carryon save` と同じです。",
    "`carryon save`와 같습니다.",
    "与 `carryon save` 相同。",
  ],
  "load.stash": ["Stash the changes", "変更をスタッシュする", "변경 사항을 스태시", "贮藏更改 (stash)"],
  "load.stash.detail": [
    "Files that git does not track stay where they are. `git stash pop` brings the rest back.",
    "git が追跡していないファイルは残ります。`git stash pop` で元に戻せます。",
    "git이 추적하지 않는 파일은 그대로 둡니다. `git stash pop`으로 되돌립니다.",
    "git 未跟踪的文件保持不变。`git stash pop` 可恢复其余更改。",
  ],
  "load.switch": ["Switch to {branch}", "{branch} に切り替える", "{branch} 브랜치로 전환", "切换到 {branch}"],
  "load.switch.detail": [
    "Only if no change is lost by it.",
    "変更が失われない場合だけ切り替えます。",
    "변경 사항을 잃지 않을 때만 전환합니다.",
    "仅在不会丢失更改时切换。",
  ],
  "load.here": [
    "Continue here, and update the state",
    "ここで続けて、状態を更新する",
    "여기서 계속하고 상태를 갱신",
    "在此继续,并更新状态",
  ],
  "load.here.detail": [
    "Nothing is committed.",
    "コミットはしません。",
    "커밋하지 않습니다.",
    "不会提交任何内容。",
  ],
  "load.continue": ["Continue", "続ける", "계속", "继续"],
  "load.continue.with": ["Continue with: {step}", "続ける: {step}", "계속: {step}", "继续: {step}"],
  "load.other": ["Another of the tasks", "別のタスク", "다른 작업", "其他任务"],
  "load.which": ["Which task?", "どのタスクですか?", "어떤 작업입니까?", "哪个任务?"],
  "load.new": ["A new task", "新しいタスク", "새 작업", "新任务"],
  "load.new.detail": [
    "What was saved stays in the log as a checkpoint.",
    "保存済みの状態はチェックポイントとして残ります。",
    "저장된 상태는 체크포인트로 남습니다.",
    "已保存的状态作为检查点保留。",
  ],
  "load.new.which": [
    "What is the new task?",
    "新しいタスクは何ですか?",
    "새 작업은 무엇입니까?",
    "新任务是什么?",
  ],
  "load.checkpoint": [
    "Take the checkpoint of {time} ({work}) in its place?",
    "代わりに {time} のチェックポイント ({work}) を使いますか?",
    "대신 {time}의 체크포인트({work})를 사용할까요?",
    "改用 {time} 的检查点 ({work}) 吗?",
  ],
  "init.write": ["Write this?", "この内容を書き込みますか?", "이대로 쓸까요?", "写入这些内容吗?"],
  "init.documents": [
    "Commit the handover documents in {folder}? No keeps them out of commits.",
    "{folder} の引き継ぎ文書をコミットしますか? No ならコミットから除外します。",
    "{folder}의 인수인계 문서를 커밋할까요? No를 선택하면 커밋에서 제외합니다.",
    "要提交 {folder} 中的交接文档吗? 选 No 则不纳入提交。",
  ],
  "init.import.project": [
    "Import the sessions that Claude Code has kept of this project?",
    "このプロジェクトの Claude Code のセッションを取り込みますか?",
    "이 프로젝트의 Claude Code 세션을 가져올까요?",
    "导入 Claude Code 保留的本项目会话吗?",
  ],
  "init.import.user": [
    "Import the sessions that Claude Code has kept of all projects?",
    "すべてのプロジェクトの Claude Code のセッションを取り込みますか?",
    "모든 프로젝트의 Claude Code 세션을 가져올까요?",
    "导入 Claude Code 保留的所有项目的会话吗?",
  ],
} as const satisfies Record<string, Phrase>;

/** Says a phrase in the language that the environment names, as programs of the system choose theirs. */
export function say(
  { env }: { readonly env: Readonly<Record<string, string | undefined>> },
  name: keyof typeof phrases,
  values: Readonly<Record<string, string>> = {},
): string {
  const [locale = ""] = (env.LC_ALL || env.LC_MESSAGES || env.LANG || "").split(/[_.@-]/);
  const language = languages.indexOf(locale);
  const phrase = phrases[name][language] ?? phrases[name][0];
  return phrase.replace(/\{(\w+)\}/g, (_all, key: string) => values[key] ?? "");
}
