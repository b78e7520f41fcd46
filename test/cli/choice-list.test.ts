import { describe, expect, it } from "vitest";
import { type Choice, ChoiceList, type ChoiceReader } from "../../src/cli/choice-list.ts";

const choice = (words: string, refusal?: string): Choice => ({ label: words, detail: [], words, refusal });
const titles = ["Fix the login", "Renew the token", "Write the notes"].map((title) => choice(title));

/** Opens a list, and waits for what changes it. */
function open(reader?: ChoiceReader) {
  let changed = Promise.withResolvers<void>();
  const list = new ChoiceList(titles, reader, {
    onChange: () => changed.resolve(),
    onFailure: (error) => changed.reject(error),
  });
  const wait = async () => {
    await changed.promise;
    changed = Promise.withResolvers<void>();
  };
  return { list, wait };
}

const reading = (found: readonly number[] = []): ChoiceReader => ({
  read: async (index) => choice(`${titles[index]?.words} with marmalade`, "gone"),
  find: async () => found,
});

describe("a list to choose from", () => {
  it("lists at once what says all that was typed, then that in which it is found", async () => {
    const { list, wait } = open(reading([2, 0]));
    expect([list.list(""), list.describe()]).toEqual([[0, 1, 2], "3 in all"]);
    expect([list.list("log FIX"), list.describe()]).toEqual([[0], "1 of 3, searching …"]);
    await wait();
    expect([list.list("log FIX"), list.describe()]).toEqual([[0, 2], "2 of 3"]);
    expect([list.list("nothing"), list.describe()]).toEqual([[], "0 of 3, searching …"]);
    list.close();
  });

  it("reads what is shown, once, and finds it by what was read", async () => {
    const seen: number[] = [];
    const { read, find } = reading();
    const noting = async (index: number) => {
      seen.push(index);
      return read(index);
    };
    const { list, wait } = open({ find, read: noting });
    for (const index of [0, 1, 0]) expect(list.show(index)).toBe(titles[index]);
    await wait();
    expect([list.show(1)?.refusal, list.at(2)?.refusal, seen]).toEqual(["gone", undefined, [0, 1]]);
    expect(list.list("marmalade")).toEqual([0, 1]);
    list.close();
  });

  it("searches nothing and reads nothing without a reader", () => {
    const { list } = open();
    expect([list.list("token"), list.show(1), list.describe()]).toEqual([[1], titles[1], "1 of 3"]);
  });

  it("tells of a failure", async () => {
    const { list, wait } = open({ ...reading(), find: () => Promise.reject(new Error("torn")) });
    list.list("x");
    await expect(wait()).rejects.toThrow("torn");
    list.close();
  });
});
