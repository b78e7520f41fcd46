/** What the API says of a request, written out once for the tests. */

export const missing = (param: string) => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: "missing_required_parameter",
});
export const unknown = (param: string) => ({
  message: `Unknown parameter: '${param}'.`,
  param,
  code: "unknown_parameter",
});
export const type = (param: string, expected: string, got: string) => ({
  message: `Invalid type for '${param}': expected ${expected}, but got ${got} instead.`,
  param,
  code: "invalid_type",
});
export const empty = (param: string) => ({
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  param,
  code: "empty_array",
});
export const value = (param: string, got: string, values: string) => ({
  message: `Invalid value: '${got}'. Supported values are: ${values}.`,
  param,
  code: "invalid_value",
});
export const other = (message: string, param: string | null, code: string | null = null) => ({
  message,
  param,
  code,
});
