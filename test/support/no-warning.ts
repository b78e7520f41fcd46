/** Takes warnings where none may come. */
export function noWarning(warning: string): never {
  throw new Error(`There was a warning: ${warning}`);
}
