import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

export const handoffs: readonly HandoffCase[] = [
  {
    session: "estacion",
    at: "end",
    facts: [
      fact("goal", "goal", 3, "What is lost?", /pierde lecturas/),
      fact("clean", "pref", 3, "What must main be?", /main tiene que quedar limpia/),
      derivedFact("branch", "state", 3, "On which branch is the work?", /lecturas-duplicadas/),
      fact("nocommit", "pref", 3, "May it be committed?", /no hagas commit/),
      fact("unc", "state", 2, "What is not committed?", /sin commit/, uncommitted, /not committed: /),
      fact("red", "verify", 3, "Which test is red?", /ordena por segundo/),
      fact("next", "open", 3, "What is missing?", /comparable/),
      fact("rebase", "gotcha", 3, "What does the branch lack?", /rebase/),
      fact("jdk", "done", 2, "What was fixed on main?", /jdk 21/),
      fact("verify", "verify", 1, "How are tests run?", /gradlew (assemble )?test/),
      fact("f-read", "files", 1, "Which file has the change?", /lecturas\.kt/),
    ],
    claims: [
      falseClaim("jdk-red", "it builds since", /(fail|blocker|red).*assemble/, /inconsistent jvm-target/),
      falseClaim(
        "green",
        "the test of the branch is red",
        /passed: [^\n]*gradlew test\b/,
        /gradlew test → (build successful|passed)/,
      ),
      falseClaim("unpushed", "the commit of main is pushed", /6f7a8b9.*not pushed/),
      falseClaim("gradle", "committed on main", /not committed: .*build\.gradle/),
      falseClaim("commit", "the user wants none", /(next action).*and commit\./),
      falseClaim("interrupted", "it ended in order", /: interrupted\./),
    ],
  },
  {
    session: "estacion",
    at: "cut",
    facts: [
      fact("goal", "goal", 3, "What is lost?", /pierde lecturas/),
      fact("clean", "pref", 3, "What must main be?", /main tiene que quedar limpia/),
      fact("jdk", "interrupted", 3, "What was asked last?", /jdk 21/),
      fact("cause", "gotcha", 3, "Why does it not compile?", /jvmtoolchain/, /java para 21 y kotlin para 17/),
      fact(
        "test",
        "verify",
        2,
        "Which test is red on the branch?",
        /ordena por segundo/,
        /14 tests completed, 1 failed/,
      ),
    ],
    claims: [],
  },
];
