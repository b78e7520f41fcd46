/** What the providers take as the id of a call; the shortest of their limits. */
const idForm = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * Gives calls ids that providers take: each is there once, and has no other characters than they allow.
 *
 * What an id becomes depends on those before it alone, so that the beginning of a conversation stays what it was, and a
 * provider that knows it already needs not read it again.
 */
export class CallIds {
  readonly #taken = new Set<string>();

  next(id: string): string {
    const free = idForm.test(id) && !this.#taken.has(id) ? id : this.#make();
    this.#taken.add(free);
    return free;
  }

  #make(): string {
    for (let number = this.#taken.size + 1; ; number += 1) {
      const id = `call_${number}`;
      if (!this.#taken.has(id)) return id;
    }
  }
}
