import { derivedFact, fact, falseClaim, type HandoffCase } from "../../case.ts";

export const handoffs: readonly HandoffCase[] = [
  {
    session: "kirjasto",
    at: "end",
    facts: [
      fact("goal", "goal", 3, "What was to be fixed?", /#218/),
      fact("schema", "pref", 3, "What must not be touched?", /db\/schema\.rb/),
      fact("pr", "state", 3, "Where is the pull request?", /pull\/231/, /pr #231/),
      fact("green", "verify", 3, "How do its checks stand?", /both checks green/, /gh pr checks.*pass/),
      fact("reviewer", "open", 2, "Who reviews it?", /mtuomi/),
      fact("holidays", "gotcha", 3, "Why did CI fail?", /gitignore/, /each library has its own/),
      fact("deploy", "gotcha", 2, "What must a deployment bring?", /config\/holidays\.yml/),
      fact("fines", "gotcha", 1, "What of charged fines?", /already charged/),
      derivedFact("branch", "state", 1, "On which branch?", /due-dates/),
      fact("verify", "verify", 2, "How are tests run?", /bundle exec rspec/),
      fact("lint", "verify", 1, "How is it linted?", /bundle exec rubocop/),
      derivedFact("pushed", "state", 2, "Is it pushed?", /\(pushed\)/, /pushed/),
    ],
    claims: [
      falseClaim(
        "ci",
        "CI is green since",
        /(fail|blocker|red).*(gh pr|gh run|rspec \(3\.4\))/,
        /311 examples, 6 failures/,
        /ci failed/,
      ),
      falseClaim("rspec", "passes since", /(fail|blocker|red).*bundle exec rspec/, /24 examples, 1 failure/),
      falseClaim("cop", "passes since", /(fail|blocker|red).*rubocop/),
      falseClaim("unpushed", "pushed", /not pushed/),
      falseClaim("open", "nothing is left to commit", /(next action).*(commit|review)/, /not committed: /),
    ],
  },
  {
    session: "kirjasto",
    at: "cut",
    facts: [
      fact("goal", "goal", 3, "What is to be fixed?", /#218/),
      fact("schema", "pref", 3, "What must not be touched?", /db\/schema\.rb/),
      fact("pr", "open", 3, "What is to be opened?", /open a pr/, /\bpr when done/),
      fact("reviewer", "pref", 2, "Who reviews it?", /mtuomi/),
      derivedFact("push", "interrupted", 3, "Where did it stop?", /git push -u origin due-dates/),
      fact("commit", "done", 2, "What is committed?", /e5d1c77/, /move due dates off closed days/),
      fact("verify", "verify", 2, "Do the tests pass?", /312 examples, 0 failures/),
    ],
    claims: [
      falseClaim("rspec", "passes since", /(fail|blocker|red).*bundle exec rspec/, /24 examples, 1 failure/),
      falseClaim("cop", "passes since", /(fail|blocker|red).*rubocop/, /1 offense detected/),
    ],
  },
];
