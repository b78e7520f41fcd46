import type { AskedCall, Draft, Restored } from "../../../chat/chat.ts";
import { isStoreLost } from "../../../lib/rescue-file.ts";
import { hideSecrets } from "../../../redaction/hide-secrets.ts";
import type { ToolCallPart } from "../../../sessions/entry.ts";
import { Interrupted } from "../../interrupted.ts";
import type { KeyTerminal } from "../../key-terminal.ts";
import { reportError } from "../../report-error.ts";
import {
  type ChatSetting,
  type Departure,
  type HeldChat,
  listValues,
  runChatCommand,
} from "../commands/chat-command.ts";
import { chatCommands, findChatCommand } from "../commands/chat-commands.ts";
import { HistoryBrowser } from "../history/history-browser.ts";
import { parseInput } from "../parse-input.ts";
import { answerBlock, bannerBlock, noteBlock } from "./blocks.ts";
import { renderActivity, renderQueued } from "./bottom-lines.ts";
import { ChatScreen } from "./chat-screen.ts";
import { makeCompletions } from "./completions.ts";
import { countRows } from "./question.ts";
import { sessionBlocks } from "./session-blocks.ts";
import { renderStatus } from "./status-line.ts";
import { TurnQueue } from "./turn-queue.ts";

/** What a person has told of how they want to chat, and what they typed before. */
export interface ChatHabits {
  /** What was typed before, oldest first. */
  readonly typed: readonly string[];
  /** Keeps what is typed. */
  readonly keepTyped: (text: string) => Promise<void>;
  /** Says in one line what a call does. */
  readonly describeCall: (call: ToolCallPart) => string;
  /** Whether nothing is asked before the model writes or runs something. */
  readonly yes: boolean;
}

const leavesNext = "Press Ctrl+C again to leave.";

/** How long a second Ctrl+C leaves after the first. */
const hintMs = 10_000;

/** What runs gets this long to stop before it is left behind; what had come of it is saved all the same. */
const patienceMs = 3000;

/** What a terminal may still send of keys that are let go, which is not for the shell. */
const drainMs = 300;

/** A chat on a terminal. */
export class TerminalChat implements HeldChat {
  readonly #setting: ChatSetting;
  readonly #keys: KeyTerminal;
  readonly #habits: ChatHabits;
  readonly #history: HistoryBrowser;
  readonly #screen: ChatScreen;
  readonly #queue: TurnQueue;
  #leave: (signal: Interrupted | undefined) => void = () => undefined;
  #hint = "";
  #hintEnd: NodeJS.Timeout | undefined;
  /** Whether there is a session: it is made with what is said first. */
  #isSaid: boolean;
  #hasTold: boolean = false;
  /** Whether what is said is in no store any more. */
  #isGone: boolean = false;

  constructor(setting: ChatSetting, keys: KeyTerminal, habits: ChatHabits) {
    const { style } = setting.context;
    this.#setting = setting;
    this.#keys = keys;
    this.#habits = habits;
    this.#history = new HistoryBrowser(habits.typed);
    this.#isSaid = setting.chat.restored.messages > 0;
    this.#queue = new TurnQueue(
      (text, signal) => this.#perform(text, signal),
      () => this.#screen.animate(this.#queue.isBusy ? "on" : "off"),
    );
    this.#screen = new ChatScreen({
      ...{ terminal: keys.terminal, style, history: this.#history },
      completions: makeCompletions({
        cwd: setting.context.cwd,
        commands: chatCommands,
        valuesOf: (command) => listValues(setting, command),
      }),
      isWhole: (input) => chatCommands.some(({ name, takes }) => takes === "" && input === `/${name}`),
      above: (width) => this.#renderAbove(width),
      below: (width) => this.#renderBelow(width),
      on: {
        submit: (text) => this.#submit(text),
        interrupt: () => this.#interrupt(),
        leave: () => this.#leave(undefined),
        suspend: () => void this.#suspend(),
        touch: () => this.#setHint(""),
      },
    });
  }

  get columns(): number {
    return this.#screen.columns;
  }

  /** Holds the chat until it is left. */
  async run(): Promise<Departure> {
    const { context, chat } = this.#setting;
    const signals = context.catchSignals();
    const left = new Promise<Interrupted | undefined>((resolve) => {
      this.#leave = resolve;
      signals.addEventListener("abort", () => resolve(signals.reason));
      if (signals.aborted) resolve(signals.reason);
    });
    this.#screen.print(bannerBlock(chat.status, { folder: context.cwd, style: context.style }));
    this.showSession(chat.restored);
    this.#screen.start();
    const reason = await left;
    const draft = this.draft();
    this.#queue.stop();
    // A signal may be followed by a worse one: the terminal comes first.
    if (reason !== undefined) this.#screen.stop();
    await this.#waitForTurn();
    if (reason === undefined) {
      await this.#keys.terminal.drainInput(drainMs);
      this.#screen.stop();
    }
    return { draft, reason };
  }

  /** What fails again and again is told once. */
  tellTrouble(error: unknown): void {
    if (!this.#hasTold) this.#tellError(error);
    this.#hasTold = true;
  }

  answer(text: string): void {
    this.#screen.print(answerBlock(text));
  }

  note(text: string): void {
    this.#screen.print(noteBlock(text, this.#setting.context.style.yellow));
  }

  showSession(restored: Restored): void {
    const view = { style: this.#setting.context.style, describeCall: this.#habits.describeCall };
    for (const block of sessionBlocks(this.#setting.chat, restored, view)) this.#screen.print(block);
    if (restored.draft !== undefined) this.#putBack([restored.draft.input]);
  }

  draft(): Draft {
    return { input: [...this.#queue.waiting, this.#screen.editor.input].filter(isSaid).join("\n") };
  }

  async lendTerminal(work: () => Promise<void>): Promise<void> {
    this.#screen.stop();
    try {
      await work();
    } finally {
      this.#screen.start();
    }
  }

  #submit(text: string): void {
    const input = parseInput(text);
    if (input.type === "nothing") return;
    this.#remember(text);
    const isQuit = input.type === "command" && (input.name === "quit" || input.name === "exit");
    if (isQuit && input.rest === "") this.#leave(undefined);
    else this.#queue.add(text);
  }

  async #perform(text: string, signal: AbortSignal): Promise<void> {
    const input = parseInput(text);
    try {
      if (input.type === "prompt") await this.#say(input.text, signal);
      if (input.type === "command") await this.#command(input.name, input.rest, { text, signal });
    } catch (error) {
      if (!(signal.aborted && error === signal.reason)) this.#tellError(error);
    }
  }

  async #say(text: string, signal: AbortSignal): Promise<void> {
    const { painter } = this.#screen;
    const approve = async (asked: AskedCall) => {
      painter.ask(asked.call, asked.description, asked.preview);
      if (this.#habits.yes) return "yes";
      return this.#screen.ask({ tool: asked.call.name, lines: countRows(asked.preview ?? "") }, signal);
    };
    const onOutput = (printed: string) => painter.addOutput(printed);
    painter.begin(text);
    try {
      for await (const event of this.#setting.chat.say(text, { signal, approve, onOutput })) {
        painter.on(event);
        this.#isSaid = true;
        this.#screen.refresh();
      }
    } finally {
      this.#putBack([painter.end()]);
    }
  }

  async #command(
    name: string,
    rest: string,
    { text, signal }: { readonly text: string; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      const job = { setting: this.#setting, face: this, rest, signal };
      const end = await runChatCommand(findChatCommand(name), job);
      if (end === "leave") this.#leave(undefined);
    } catch (error) {
      // What was meant for the model, or has a slip in it, need not be typed again.
      if (!(error instanceof Interrupted)) this.#putBack([text]);
      throw error;
    }
  }

  #interrupt(): void {
    const { editor } = this.#screen;
    const isSecond = this.#hint !== "";
    if (this.#queue.isBusy && !isSecond) this.#putBack(this.#queue.stop());
    else if (!editor.isEmpty) {
      this.#remember(editor.input);
      editor.input = "";
    } else if (isSecond) this.#leave(undefined);
    // What is typed is cleared before anybody leaves.
    if (editor.isEmpty) this.#setHint(leavesNext);
  }

  async #suspend(): Promise<void> {
    await this.lendTerminal(() => this.#keys.suspend());
  }

  #remember(text: string): void {
    this.#history.add(text);
    this.#habits.keepTyped(text).catch((error: unknown) => this.tellTrouble(error));
  }

  async #waitForTurn(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tired = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.#queue.settled(), tired]);
    clearTimeout(timer);
  }

  #putBack(texts: readonly string[]): void {
    const { editor } = this.#screen;
    const all = [...texts, editor.input].filter(isSaid).join("\n");
    if (all !== editor.input) editor.input = all;
  }

  #setHint(hint: string): void {
    clearTimeout(this.#hintEnd);
    // Who stopped a reply and thought for a while does not want to leave with the next one.
    if (hint !== "") this.#hintEnd = setTimeout(() => this.#setHint(""), hintMs).unref();
    if (this.#hint === hint) return;
    this.#hint = hint;
    this.#screen.refresh();
  }

  #tellError(error: unknown): void {
    this.#isGone ||= isStoreLost(error);
    const { style, env } = this.#setting.context;
    const debug = Boolean(env.CARRYON_DEBUG);
    this.answer(reportError(error, { form: "text", debug, style, columns: this.columns, hide: hideSecrets }));
  }

  #renderAbove(width: number): readonly string[] {
    const { style } = this.#setting.context;
    const { isBusy, seconds, waiting } = this.#queue;
    const activity = this.#screen.painter.activity;
    return [
      ...(isBusy && !this.#screen.isAsking ? renderActivity(activity, seconds, width, style) : []),
      ...renderQueued(waiting, width, style),
    ];
  }

  #renderBelow(width: number): readonly string[] {
    const { chat, context } = this.#setting;
    const { yellow, dim } = context.style;
    const saved = this.#isGone ? "NOT SAVED" : this.#isSaid ? "saved" : "new";
    return [
      this.#hint === ""
        ? dim(renderStatus(chat.status, this.#queue.isBusy ? "" : saved, width))
        : yellow(this.#hint),
    ];
  }
}

function isSaid(text: string): boolean {
  return text !== "";
}
