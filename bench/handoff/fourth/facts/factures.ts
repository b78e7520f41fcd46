import { derivedFact, fact, falseClaim, type HandoffCase, uncommitted } from "../../case.ts";

export const handoffs: readonly HandoffCase[] = [
  {
    session: "factures",
    at: "end",
    facts: [
      fact("goal", "goal", 3, "Which total is wrong?", /2026-0412/),
      fact("line", "pref", 3, "How must be rounded?", /arrondi par ligne/),
      fact("pdf", "pref", 3, "What must not be touched?", /pdf déjà émis/),
      fact("cause", "gotcha", 3, "Why was it wrong?", /absence d'arrondi dans ligne::montantht/, /99,009/),
      fact("credit", "pref", 3, "How are credit notes rounded?", /avoirs doivent/, /valeur absolue/),
      fact("bcmath", "pref", 3, "What may not be used?", /bcmath/),
      fact("result", "verify", 2, "Do the tests pass?", /32 tests passent/, /ok \(32 tests/),
      fact("verify", "verify", 2, "How are tests run?", /vendor\/bin\/phpunit/),
      fact("unc", "state", 3, "Is it committed?", /rien n'est commité/, uncommitted),
      fact("quotes", "open", 3, "Which question is open?", /devis/),
      fact("f-line", "files", 1, "Which file has the fix?", /ligne\.php/),
    ],
    claims: [
      falseClaim("display", "withdrawn", /le problème vient de number_format/, /je remplace l'affichage/),
      falseClaim("f-display", "it was put back", /not committed: .*affichage\.php/),
      falseClaim("red", "passes since", /(fail|blocker|red).*phpunit/, /testavoir/),
      falseClaim("commit", "the question comes first", /(next action).*and commit/),
    ],
  },
  {
    session: "factures",
    at: "cut",
    facts: [
      fact("goal", "goal", 3, "Which total is wrong?", /2026-0412/),
      fact("line", "pref", 3, "How must be rounded?", /arrondi par ligne/),
      fact("pdf", "pref", 3, "What must not be touched?", /pdf déjà émis/),
      fact("cause", "gotcha", 3, "Why is it wrong?", /absence d'arrondi dans ligne::montantht/, /99,009/),
      derivedFact("where", "interrupted", 2, "Where did it stop?", /ligne\.php/),
    ],
    claims: [
      falseClaim("display", "withdrawn", /le problème vient de number_format/, /je remplace l'affichage/),
      falseClaim("f-display", "it was put back", /not committed: .*affichage\.php/),
    ],
  },
];
