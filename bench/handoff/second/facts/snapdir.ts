import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

const goal = fact(
  "goal",
  "goal",
  3,
  "What went wrong with snapdir?",
  /(ate|deletes?|rm -rf).{0,100}(home folder|target|unset|should not)/,
  /never delete anything but snapshots/,
);
const posix = fact(
  "posix",
  "pref",
  3,
  "Which shells must it run in?",
  /strictly posix/,
  /no bashisms/,
  /dash and busybox/,
);
const mktemp = fact(
  "mktemp",
  "pref",
  3,
  "Where may it be tried?",
  /(only under|folder of|outside of a folder of) mktemp/,
  /never try it on real folders/,
);
const link = fact(
  "link",
  "decision",
  2,
  "How are unchanged files shared between snapshots?",
  /link\w* only (files )?that are the same/,
  /copy the source and link/,
);
const rsync = fact(
  "rsync",
  "gotcha",
  1,
  "Why is rsync not used any more?",
  /rsync.{0,80}(not there|not on|is gone|missing|isn't)/,
);
const howTest = fact("how-test", "verify", 3, "How do I run the tests?", /sh test\.sh/);
const tests = fact("f-tests", "files", 2, "Where are the tests?", /test\.sh/);
const red = falseClaim(
  "red",
  "these pass",
  /(block|fail|critical|open|unresolved).*(drops what is gone|takes folders with spaces|refuses an empty target|syntax error)/,
);

export const handoffs: readonly HandoffCase[] = [
  {
    session: "snapdir",
    at: "end",
    facts: [
      goal,
      posix,
      mktemp,
      link,
      rsync,
      howTest,
      tests,
      fact(
        "bashism",
        "gotcha",
        1,
        "Why did the first version fail under dash?",
        /array.{0,60}bashism/,
        /syntax error: .{0,3}\(/,
      ),
      fact(
        "only-snapshots",
        "decision",
        3,
        "What does rotation delete?",
        /only (folders|names) (that are named|of the exact form)/,
        /(anything|nothing) but snapshots/,
      ),
      fact("shell", "done", 2, "How do I test another shell?", /snapdir_shell/),
      fact("tag", "state", 3, "Which version was released?", /v1\.2\.0/, /snapdir 1\.2\.0/),
      fact(
        "pushed",
        "state",
        3,
        "Was it pushed?",
        /(main and v1\.2\.0 are|committed and|is|are|was) pushed/,
        /main -> main/,
        /up to date with .?origin\/main/,
      ),
      fact(
        "clean",
        "state",
        2,
        "Is anything left uncommitted?",
        /nothing is left uncommitted/,
        /working tree clean/,
        /clean (working )?tree/,
        /nothing to commit/,
        /no uncommitted/,
      ),
      fact(
        "busybox",
        "open",
        2,
        "Was it tried with busybox?",
        /busybox.{0,80}(not (installed|proved|tested|tried)|ci has)/,
        /ci has busybox/,
      ),
      fact(
        "slow",
        "open",
        3,
        "What is slow, and how could it be mended?",
        /slow.{0,120}(compare|content|large|\bcmp\b)/,
        /compare size and time/,
        /400 gb/,
      ),
      fact("not-today", "pref", 1, "When should the speed be worked on?", /not today/),
      fact(
        "macos",
        "open",
        2,
        "Does it run on macOS?",
        /macos.{0,120}(not tried|can't try|not yet|nothing of gnu|tried)/,
        /not tried on macos/,
      ),
      fact("result", "verify", 2, "Do the tests pass?", /8 of 8 pass/, /8 passed/, /8 tests? pass/),
      fact(
        "warning",
        "done",
        1,
        "What does the README warn of?",
        /do not use 1\.1\.0/,
        /warning about 1\.1\.0/,
      ),
      fact("f-todo", "files", 1, "Where are open points written down?", /todo\.md/),
    ],
    claims: [
      red,
      falseClaim(
        "cp-al",
        "files are compared and linked one by one now",
        /(decision|current|now|design).*cp -al/,
      ),
      falseClaim(
        "to-release",
        "it is tagged and pushed",
        /(next|to ?do|open|pending|remaining).*(tag it|push with the tag|version 1\.2\.0)/,
      ),
    ],
  },
  {
    session: "snapdir",
    at: "cut",
    facts: [
      goal,
      posix,
      mktemp,
      link,
      rsync,
      howTest,
      tests,
      fact("now", "open", 3, "Which part is being worked on?", /rotation/, /keep must be a number/),
      fact("result", "verify", 2, "Do the tests pass so far?", /5 passed/, /all five pass/),
      derivedFact("uncommitted", "state", 3, "Is anything committed?", uncommitted),
      fact("form", "decision", 2, "What may rotation delete?", /only names of the exact form/),
    ],
    claims: [red],
  },
];
