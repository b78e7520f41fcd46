import { git, makeRepo } from "./git-repo.ts";
import { openMachine, type TestMachine } from "./open-machine.ts";

/** A project that two people work in, each on a machine and in a clone of their own; their stores meet directly. */
export interface TwoClones extends AsyncDisposable {
  readonly ada: TestMachine;
  readonly ben: TestMachine;
  readonly onAda: string;
  readonly onBen: string;
  /** Runs a command that must succeed, and returns its answer. */
  readonly asAda: (...args: readonly string[]) => Promise<string>;
  readonly asBen: (...args: readonly string[]) => Promise<string>;
  /** Brings everything of the project to the other machine. */
  readonly toBen: () => Promise<string>;
  readonly toAda: () => Promise<string>;
}

/** Opens two machines with a clone of one repository each. */
export async function openTwoClones(): Promise<TwoClones> {
  const ada = await openMachine("ada-laptop");
  const ben = await openMachine("ben-desktop");
  const [onAda, onBen] = [ada.path("shop"), ben.path("code", "the-shop")];
  await makeRepo(onAda, ["first"]);
  await git(ben.path(), "clone", "--quiet", onAda, onBen);
  const asAda = (...args: readonly string[]) => ada.ask(onAda, args);
  const asBen = (...args: readonly string[]) => ben.ask(onBen, args);
  return {
    ...{ ada, ben, onAda, onBen, asAda, asBen },
    toBen: () => asAda("push", ben.home, "--create"),
    toAda: () => asBen("push", ada.home, "--create"),
    [Symbol.asyncDispose]: async () => {
      await ada[Symbol.asyncDispose]();
      await ben[Symbol.asyncDispose]();
    },
  };
}
