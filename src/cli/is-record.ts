/** Looks at values of JSON that somebody else may have written. */

/** Whether the value is an object with named fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
