import { derivedFact, fact, falseClaim, type HandoffCase } from "../../case.ts";

export const handoffs: readonly HandoffCase[] = [
  {
    session: "ledgerd",
    at: "end",
    facts: [
      fact("goal", "goal", 3, "What was asked first?", /iso 8601/),
      fact("second", "goal", 3, "What was asked second?", /startup takes 40/),
      fact("export", "done", 2, "Is the export done?", /b1c2d3e/, /write iso 8601 dates in the export/),
      fact("cause", "gotcha", 3, "Why does startup take so long?", /one day at a time/, /ratesloader/),
      fact("bulk", "gotcha", 2, "Why was bulk off?", /fixed since spring/, /bug on their side/),
      fact("once", "pref", 3, "How often may the API be called?", /more than once per start/),
      fact("fallback", "pref", 3, "What if bulk fails?", /yesterday's rates/),
      fact("rewrite", "open", 2, "Which test must be rewritten?", /loadsmissingdays/),
      derivedFact("where", "interrupted", 3, "Where did it stop?", /--filter ratesloader/),
      derivedFact("unc", "state", 2, "What is not committed?", /not committed: .*ratesloader/),
      fact("verify", "verify", 2, "How are tests run?", /dotnet test/),
      fact("f-rates", "files", 1, "Which file?", /ratesloader\.cs/),
    ],
    claims: [
      falseClaim(
        "xml",
        "a guess without a measurement",
        /remaining 1\.8 s of the load is xml(?!.*(guess|not measured|suspect))/,
      ),
      falseClaim("stale", "taken back by the user", /bulk returns stale rates(?!.*(fixed|bug on))/),
      falseClaim("header", "passes since", /(fail|blocker|red).*(writesheader|export\.tests)/),
      falseClaim(
        "export-open",
        "the export is done",
        /(next action|last request|progress).*(dd\/mm|iso 8601)/,
      ),
    ],
  },
  {
    session: "ledgerd",
    at: "cut",
    facts: [
      fact("goal", "goal", 3, "What was asked first?", /iso 8601/),
      fact("second", "goal", 3, "What was asked second?", /startup takes 40/),
      fact("export", "done", 3, "Is the export done?", /b1c2d3e/, /export done/),
      fact("cause", "gotcha", 3, "Why does startup take so long?", /one day at a time/, /ratesloader/),
      fact("once", "pref", 3, "How often may the API be called?", /more than once per start/),
      fact("bulk", "gotcha", 2, "Is bulk usable?", /fixed since spring/),
      fact("verify", "verify", 2, "How are tests run?", /dotnet test/),
    ],
    claims: [
      falseClaim("header", "passes since", /(fail|blocker|red).*(writesheader|export\.tests)/),
      falseClaim("unc", "all edits are committed", /not committed: /),
    ],
  },
];
