/** Tells whether two inputs are the same, however their fields are ordered. */
import { hash } from 'node:crypto'

/** The SHA-256, in hex, of a JSON value with the fields of every object in one order. */
export function digestOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, (_key, value: unknown) => inOrder(value)) ?? '')
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // As it is for most: a deployment has thousands of files, and copying each costs more than all the rest.
  if (isOrdered(Object.keys(value))) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isOrdered(keys: string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
}
