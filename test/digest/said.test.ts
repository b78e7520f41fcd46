import { describe, expect, it } from "vitest";
import { isTrivial, judgeWork } from "../../src/digest/judge-work.ts";
import { describeDigest } from "../../src/digest/sections.ts";
import { digestOf, linesOf } from "./digest-of.ts";
import { Story } from "./entries.ts";

describe("what was said in a session", () => {
  it("takes the first words that ask for something as the goal", () => {
    const story = new Story().asks("hi").says("Hello!").asks("Rename the shop").says("Done.");
    expect(linesOf(digestOf(story), "Goal")).toEqual(["Rename the shop"]);
  });

  it("keeps a wish beside a later word that stands in it, and drops one that is said again", () => {
    const wish = "The logs are mine: I commit these by hand, after each day";
    const said = (...later: readonly string[]) => {
      const story = new Story().asks("Tidy up the docs").says("They are tidy.").asks(wish).says("I see.");
      for (const text of later) story.asks(text).says("Done.");
      return linesOf(digestOf(story), "User");
    };
    expect(said("commit")).toEqual([`"${wish}"`, '"commit"']);
    expect(said(`${wish}, please`)).toEqual([`"${wish}, please"`]);
  });

  it("leaves out an answer to which the user objects, but not one that asked", () => {
    const long = (text: string) => `${text} ${"It is written down in the notes. ".repeat(12)}`;
    const told = (answer: string, reply: string) => {
      const story = new Story()
        .asks("Clean up the output")
        .says(long(answer))
        .asks(reply)
        .says("It is back.");
      return [...linesOf(digestOf(story), "Answer"), ...linesOf(digestOf(story), "Findings")].join(" ");
    };
    const filtered = "The output must not have calls of tools.";
    expect(told(filtered, "we've lost the output of the tools, put that back")).not.toContain(filtered);
    expect(told(filtered, "good, now the tests")).toContain(filtered);
    const asking = new Story()
      .asks("Clean up")
      .says("The calls must stay in the output. Shall I drop the rest?")
      .asks("no, later");
    expect(linesOf(digestOf(asking.says("As you like.")), "Findings")).toEqual([
      "The calls must stay in the output.",
    ]);
  });

  it.each([
    ["The problem is the timeout, so each fetch is aborted.", "Still 0 of 20 with the longer timeout."],
    ["Redis rejects the writes because it is full.", "Redis has 2 GB left. That rules memory out."],
    ["The cause is the cache of the proxy.", "I emptied it: the proxy was never the cause."],
    ["The build fails because of `tsc`.", "With the old `tsc`: same error, so the build has another reason."],
    ["Le problème vient de l'affichage.", "Toujours faux : l'affichage n'y est pour rien."],
    ["Le problème vient de l'arrondi.", "Un test échoue encore, ce n'est pas l'arrondi qui est faux."],
    [
      "Die Ursache ist der Zeitzonenwechsel.",
      "Es liegt nicht an der Zeitzone, der Zeitzonenwechsel war im Mai.",
    ],
  ])("leaves out a cause that the assistant denies later: %s", (cause, denial) => {
    const other = "The config is read twice because of the wrapper.";
    const story = new Story().asks("Why?").says(other).runs("ls", "a").says(cause).runs("ls", "b");
    expect(linesOf(digestOf(story), "Findings").join()).toContain(cause.slice(0, 20));
    const told = describeDigest(digestOf(story.says(denial).runs("ls", "c").says("I look further.")));
    const text = told.flatMap(({ lines }) => lines.map((line) => line.text)).join("\n");
    expect(text).not.toContain(cause.slice(0, 20));
    expect(text).toContain(other);
  });

  it("leaves out a proposal once the user has answered, and what led to a call that the user refused", () => {
    const story = new Story()
      .asks("How shall we tell the shop?")
      .says("Polling is slow. I recommend a queue, because it is durable. Shall I go with it?");
    const section = (name: "Findings" | "Talk") => linesOf(digestOf(story), name).join();
    expect(section("Findings")).toContain("I recommend a queue");
    story
      .asks("no new servers, use what we have")
      .says("Then the database tells it, which needs no server. What is told while nobody listens is gone.");
    story.says("It needs the socket, because the shop may want single articles later.");
    expect(section("Findings")).not.toContain("I recommend");
    expect(section("Findings")).toContain("the socket");
    const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected. ";
    story
      .calls("Bash", { command: "npm i ws" })
      .gets(`${refusal}To tell you how to proceed, the user said:\nplain events`, true);
    story.says("Plain events, without a dependency.");
    expect(`${section("Findings")} ${section("Talk")}`).not.toContain("the socket");
    expect(section("Talk")).toContain("Then the database tells it");
  });

  it("leaves out of earlier answers a sentence that its writer did not believe to the end", () => {
    const review = `Two faults. ${"The exit status is lost in the loop. ".repeat(12)}\nThe test passes only because it... actually let me check that.`;
    const story = new Story()
      .asks("Review it")
      .says(review)
      .runs("prove t", "Result: FAIL")
      .says("It does not pass.");
    const told = linesOf(digestOf(story), "Answer").join(" ");
    expect(told).toContain("Two faults.");
    expect(told).not.toContain("passes only because");
  });

  it("drops an order to commit once it is carried out", () => {
    const story = new Story()
      .asks("Mend the login")
      .edits("a.ts")
      .says("Mended.")
      .asks("ok, commit and push");
    expect(linesOf(digestOf(story), "Open")).toContain('Last request: "ok, commit and push"');
    story.runs("git commit -am x", "[main 1a2b3c4] x\n 1 file changed\n").says("Committed.");
    expect(linesOf(digestOf(story), "User")).toEqual([]);
  });

  it("says a question of one word with the sentence that it is about", () => {
    const told = new Story().asks("Push it").says("It was refused. I can rebase, or you open a PR. Which?");
    expect(linesOf(digestOf(told), "Open")).toEqual([
      "Waiting for the user: I can rebase, or you open a PR. Which?",
    ]);
  });

  it("drops an explanation that is taken back later", () => {
    const story = new Story()
      .asks("Why does it fail?")
      .says("The problem is that `Basket.total` does not call `Tax.rate`.")
      .says("Actually that's not it: `Basket.total` does call `Tax.rate`, the rate itself is wrong.");
    expect(linesOf(digestOf(story), "Findings")).toEqual([
      "Actually that's not it: `Basket.total` does call `Tax.rate`, the rate itself is wrong.",
    ]);
  });

  it("drops the ideas of a moment ago when the next text says that they were wrong", () => {
    const told = new Story()
      .asks("Why is the import slow?")
      .says("The parser is slow because it copies each line twice.")
      .asks("try that")
      .says("The cache must be the reason: it is never emptied.")
      .says("Emptying the cache made no difference, so that idea was wrong.");
    expect(linesOf(digestOf(told), "Findings")).toEqual([
      "The parser is slow because it copies each line twice.",
    ]);
  });

  it.each([
    "The import is probably slow because `Cache.warm` copies each line.",
    "It might be that `Cache.warm` does not free what it reads.",
    "I suspect the problem is in `Cache.warm`, which must be called once.",
    "It looks like `Cache.warm` does not see the new lines.",
    "The reason could be the index, which `Cache.warm` does not use.",
    "My guess: `Cache.warm` is not called when the file is missing.",
    "Perhaps a race condition: both workers call `Cache.warm`.",
    "That `Cache.warm` is not thread-safe must be the reason.",
    "I'm not sure, but `Cache.warm` does not seem to be called at all.",
    "My bet is the disk, because `Cache.warm` reads each line again.",
    "Vermutlich dauert es so lange, weil `Cache.warm` jede Zeile zweimal liest.",
    "C'est lent, probablement parce que `Cache.warm` relit chaque ligne.",
    "Tarda tanto, supongo que porque `Cache.warm` lee cada línea dos veces.",
    "遅い原因はおそらく `Cache.warm` が各行を二度読むことです。",
  ])("marks what nothing bore out as a guess: %s", (guess) => {
    const asked = () => new Story().asks("Why is the import slow?").says(guess);
    const findings = (story: Story) => linesOf(digestOf(story), "Findings");
    const cause = "Found it: the import is slow because each line opens the file again.";
    const marked = `${guess} (a guess)`;
    expect([
      findings(asked().says("I looked at the other callers as well.")),
      findings(asked().says(cause).says("It is fast now.")),
      findings(asked().runs("npm run profile", "warm 98 %").says("Confirmed, the profile shows it.")),
      findings(asked().asks("And the export?").says("The export is slow because it sorts twice.")),
      findings(
        asked().asks("Look again").says("It turns out that `Cache.warm` is fine, the disk is slow."),
      ).includes(marked),
    ]).toEqual([[marked], [cause], [guess], [marked, "The export is slow because it sorts twice."], false]);
  });

  it.each([
    "The `name` may be null, so it must be checked before the call.",
    "The header appears twice because both layouts print it.",
    "`Basket.total` could be called without items, which it does not allow.",
    "`basket.css` is not in git because it is built (likely by vite).",
    "Die Ursache ist `Cache.warm`: jede Zeile wird zweimal gelesen.",
    "原因は `Cache.warm` で、各行が二度読まれていました。",
  ])("takes for no guess what is known: %s", (known) => {
    expect(linesOf(digestOf(new Story().asks("Look").says(known)), "Findings")).toEqual([known]);
  });

  it("does not take three dots for the end of a sentence", () => {
    const said = "The migration uses `ALTER TABLE ... MODIFY`, which this database does not support.";
    expect(linesOf(digestOf(new Story().asks("fix it").says(said)), "Findings")).toEqual([said]);
  });

  it("does not call work interrupted whose request was stopped and sent again", () => {
    const told = new Story()
      .asks("Add logging to the server")
      .asks("[Request interrupted by user]")
      .asks("Add logging to the server")
      .edits("src/server.ts")
      .runs("git commit -am x", "[main 1a2b3c4] feat: log requests\n 1 file changed\n")
      .says("Logging is added and committed.");
    expect([judgeWork(digestOf(told)), linesOf(digestOf(told), "Open")]).toEqual(["done", []]);
    told.asks("now the tests").asks("[Request interrupted by user]");
    expect(judgeWork(digestOf(told))).toBe("interrupted");
    told.asks("now the tests");
    expect(linesOf(digestOf(told), "Open")).toContain('Last request: "now the tests"');
  });

  it("takes a session for more than a greeting in which a rule was set or a question is open", () => {
    const ends = (asked: string, said: string) => isTrivial(digestOf(new Story().asks(asked).says(said)));
    expect(ends("what time is it?", "It is five. Can I help you with anything else?")).toBe(true);
    expect(ends("Please always use tabs in this project", "I will.")).toBe(false);
    expect(ends("Plan the billing", "Two steps. Should I start with the first, or with monthly bills?")).toBe(
      false,
    );
  });

  it("does not take a line for a finding that only leads to others", () => {
    const told = new Story()
      .asks("fix it")
      .says("There are two things that must change because of the new format:");
    expect(linesOf(digestOf(told), "Findings")).toEqual([]);
  });

  it("leaves failures of then out of what was said before the last answer", () => {
    const told = new Story()
      .asks("Mend the sum")
      .says(
        "I wrote the test first. Two tests are failing now, as they should. The sum comes next, then the tax of each item.",
      )
      .says("The sum is mended and everything passes.");
    // As long as nothing passed since, it may still be so.
    expect(linesOf(digestOf(told), "Talk")[0]).toContain("Two tests are failing now");
    told.runs("npm test", "Tests  42 passed (42)\n").says("Done.");
    expect(linesOf(digestOf(told), "Talk")[0]).toBe(
      "I wrote the test first. The sum comes next, then the tax of each item.",
    );
  });

  it("shows words that were said again once, in their last form", () => {
    const told = new Story()
      .asks("Add a discount to the basket")
      .asks("the invoice should show the name of the member who gets it")
      .asks("the invoice should show the full name of the member who gets it, in bold")
      .says("Done: the invoice has the name.");
    const said = [...linesOf(digestOf(told), "Goal"), ...linesOf(digestOf(told), "User")];
    expect(said).toEqual([
      "Add a discount to the basket",
      "Then: the invoice should show the full name of the member who gets it, in bold",
    ]);
  });

  it("ranks a standing rule above newer orders", () => {
    const told = new Story().asks("Add a discount").asks("never commit without running the tests");
    for (let order = 0; order < 6; order += 1)
      told.asks(`have a look at file number ${order}`).says("I looked at it.");
    const user = describeDigest(digestOf(told)).find(({ name }) => name === "User");
    const [best] = user?.lines.toSorted((one, other) => other.worth - one.worth) ?? [];
    expect(best?.text).toBe('"never commit without running the tests"');
  });

  it("does not name a file again of which the state says that it is not committed now", () => {
    const told = new Story()
      .asks("Add a discount")
      .edits("src/a.ts")
      .edits("src/b.ts")
      .says("I changed both.");
    const sections = describeDigest(digestOf(told), { tree: { changed: ["src/b.ts"] } });
    expect(sections.find(({ name }) => name === "Edited")?.lines.map(({ text }) => text)).toEqual([
      "src/a.ts",
    ]);
  });
});
