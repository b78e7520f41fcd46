/** How far a thing on a client's list has come; one that is gone was taken off it. */
export type TodoState = "open" | "current" | "done" | "gone";

/** One thing on a client's list. */
export interface Todo {
  /** What the client calls it; its place where it has no name. */
  readonly id: string;
  readonly text: string;
  readonly state: TodoState;
}

/** What a call of a client's tool did to its list. */
export type TodoChange =
  | { readonly type: "listed"; readonly by: "todos" | "tasks"; readonly todos: readonly Todo[] }
  | { readonly type: "added"; readonly by: "tasks"; readonly todo: Todo }
  | {
      readonly type: "changed";
      readonly by: "tasks";
      readonly id: string;
      readonly text: string | undefined;
      readonly state: TodoState | undefined;
    };
