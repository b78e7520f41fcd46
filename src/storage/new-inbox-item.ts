/** What a hook puts into the inbox. */
export interface NewInboxItem {
  readonly receivedMs: number;
  readonly client: string;
  readonly event: string;
  readonly session: string;
  /** JSON. */
  readonly payload: string;
}

/** Returns the values of an item in the order of the columns of `insertItem`. */
export function toInboxRow(item: NewInboxItem): readonly (string | number)[] {
  return [item.receivedMs, item.client, item.event, item.session, item.payload];
}

export const insertItem =
  "INSERT INTO inbox (received_ms, client, event, session_id, payload) VALUES (?, ?, ?, ?, ?)";
