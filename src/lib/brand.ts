declare const brand: unique symbol;

/** A value that can only be made by the one function that checks it, although it is a plain `Base` at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
