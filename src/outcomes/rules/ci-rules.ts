import { toRules } from "../rule.ts";

/** How `gh` shows a failed run or a refused review as text; its JSON is read apart. */
export const ciRules = toRules(
  { goal: "ci", certainty: "summary", kinds: ["ci"] },
  {
    gh: {
      pattern:
        /^X \S.{0,300} · \d{5,}$|^.{1,200}\tfail\t\S{1,20}\thttps?:\/\/|^Run .{1,200} \(\d{5,}\) (?:completed|has already completed) with '(?:failure|timed_out|startup_failure)'$/,
      passed: /^completed\tsuccess\t|^✓ \S.{0,300} · \d{5,}$/,
      partPassed:
        /^.{1,200}\tpass\t\S{1,20}\thttps?:\/\/|^Run .{1,200} \(\d{5,}\) (?:completed|has already completed) with 'success'$|^\[?\{.{0,900}"conclusion": ?"success"/,
    },
    "gh pr": {
      goal: "review",
      pattern: /^reviewers:\t.{0,300}\(Changes requested\)/,
      partPassed: /^reviewers:\t.{0,300}\(Approved\)|^\[?\{.{0,900}"reviewDecision": ?"APPROVED"/,
    },
  },
);
