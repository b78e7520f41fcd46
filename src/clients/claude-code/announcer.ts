import { sha256 } from "../../sessions/chain.ts";
import type { NewEntry } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";
import { isTag } from "../../sessions/session-facts.ts";
import type { Announcement, TranscriptState } from "./transcript-state.ts";
import { type StateRow, textOf } from "./wire.ts";

type Titles = TranscriptState["titles"];

/** Turns what the client says of a session again and again into events for what is new. */
export class Announcer {
  #titles: Titles;
  #tag: string | null;
  #link: string | null;
  #announced: number;
  #waiting: readonly Announcement[];

  constructor({ titles, link, announced, waiting, facts }: TranscriptState) {
    this.#titles = titles;
    this.#link = link;
    this.#tag = facts.tag;
    this.#announced = announced;
    this.#waiting = waiting;
  }

  get state(): Pick<TranscriptState, "titles" | "link" | "announced" | "waiting"> {
    return {
      ...{ titles: this.#titles, link: this.#link },
      ...{ announced: this.#announced, waiting: this.#waiting },
    };
  }

  get title(): string | null {
    const { custom, ai, summary } = this.#titles;
    return [custom, ai, summary].find((title) => title !== "") ?? null;
  }

  get tag(): string | null {
    return this.#tag;
  }

  /** Takes a row that names the session, tags it or links it. */
  take({ type, fields }: StateRow): void {
    switch (type) {
      case "custom-title":
        this.#takeTitle({ custom: textOf(fields, "customTitle") ?? "" });
        break;
      case "ai-title":
        this.#takeTitle({ ai: textOf(fields, "aiTitle") ?? "" });
        break;
      case "summary":
        this.#takeTitle({ summary: textOf(fields, "summary") ?? "" });
        break;
      case "tag":
        this.#takeTag(fields);
        break;
      case "pr-link":
        this.#takeLink(fields);
        break;
      case "last-prompt":
      case "relocated":
      case "queue-operation":
      case "bookkeeping":
        break;
    }
  }

  /**
   * Returns what is to be announced, each with an id that the same rows give again.
   *
   * The number in front makes a later title the greater id when both have the same time.
   */
  flush(): readonly (Announcement & { readonly id: EntryId })[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.map((announcement) => {
      this.#announced += 1;
      const digest = sha256(JSON.stringify(announcement)).slice(0, 12);
      const number = String(this.#announced).padStart(6, "0");
      return { ...announcement, id: `${announcement.event}-${number}-${digest}` as EntryId };
    });
  }

  #takeTitle(told: Partial<Titles>): void {
    const before = this.title;
    this.#titles = { ...this.#titles, ...told };
    if (this.title !== before) this.#wait({ event: "titled", data: { title: this.title ?? "" } });
  }

  #takeTag(fields: StateRow["fields"]): void {
    const tag = toTag(textOf(fields, "tag") ?? "");
    if (tag === this.#tag) return;
    const data = { add: tag === null ? [] : [tag], remove: this.#tag === null ? [] : [this.#tag] };
    this.#tag = tag;
    this.#wait({ event: "tagged", data });
  }

  #takeLink({ prNumber: number, prUrl: url, prRepository: repository }: StateRow["fields"]): void {
    if (typeof number !== "number" || typeof url !== "string" || url === this.#link) return;
    this.#link = url;
    const data = { number, url, ...(typeof repository === "string" ? { repository } : {}) };
    this.#wait({ event: "pull-request", data });
  }

  #wait(announcement: Announcement): void {
    this.#waiting = [...this.#waiting, announcement];
  }
}

/** Tells what the client says of a session from what its rows are: a fork says it once more, at its beginning. */
export function isAnnouncement(entry: NewEntry): boolean {
  return entry.kind === "event" && entry.id.startsWith(`${entry.event}-`);
}

/** Makes one word of a tag, as the log wants it; null when nothing is left. */
function toTag(text: string): string | null {
  const word = text
    .trim()
    .replace(/[^\p{L}\p{N}_.:/-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .slice(0, 64);
  return isTag(word) ? word : null;
}
