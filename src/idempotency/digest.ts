/** Compares inputs, whatever the order of their fields. */
import { hash } from 'node:crypto'

/** The SHA-256, in hex, of a JSON value with the fields of every object sorted. */
export function digestOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, (_key, value: unknown) => inOrder(value)) ?? '')
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // Unsorted objects only: a deployment has thousands of files, and copying each costs more than all the rest.
  if (isOrdered(Object.keys(value))) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isOrdered(keys: string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
}
