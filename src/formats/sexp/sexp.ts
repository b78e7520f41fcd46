/** A value of Lisp, as far as an export has them. */
export type Sexp =
  | { readonly type: "list"; readonly items: readonly Sexp[]; readonly line: number }
  | { readonly type: "string"; readonly text: string; readonly line: number }
  /** In lower case; the reader of Lisp knows no case. */
  | { readonly type: "symbol"; readonly name: string; readonly line: number }
  | { readonly type: "number"; readonly value: number; readonly line: number };
