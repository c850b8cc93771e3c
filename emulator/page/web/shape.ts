// Checks the shape of data from links and from the browser's storage.

export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isTruth: Check = (value) => typeof value === "boolean";
export const isWhole: Check = Number.isSafeInteger;
export const isCount: Check = (value) => isWhole(value) && (value as number) >= 0;
export const isListOf = (check: Check): Check => (value) => Array.isArray(value) && value.every(check);
export const isTableOf = (check: Check): Check => (value) => isObject(value) && Object.values(value).every(check);
export const isOneOf = (...values: string[]): Check => (value) => values.includes(value as string);
/** Checks for an object whose fields, as far as they exist, pass these checks. */
export const isOf = (checks: Record<string, Check>): Check => (value) =>
  isObject(value) && Object.entries(checks).every(([name, check]) => value[name] === undefined || check(value[name]));
/** The same, with all of these fields. */
export const isAll = (checks: Record<string, Check>): Check => (value) => isObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));
/** The name of a file, and its text. */
export const isFile: Check = (value) => isListOf(isText)(value) && (value as string[]).length === 2;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
