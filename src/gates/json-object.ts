/** An object as JSON has it. Any text may be a key of it, `__proto__` among them. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns what an object itself has under a key; never what all objects have, such as `constructor`. */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns the object that an object has under a key; an empty one if there is none. */
export function ownObject(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : {};
}

/** Returns an object without some of its keys. */
export function omitKeys(object: JsonObject, isOmitted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !isOmitted(key)));
}

/** Returns the fields of a value; none where it has none. */
export function asRecord(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
