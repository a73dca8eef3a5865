/** Tells whether two inputs are the same, however their fields are ordered. */
import { hash } from 'node:crypto'

/** The SHA-256, in hex, of a JSON value with the fields of every object in one order. */
export function digestOf(input: unknown): string {
  return hash('sha256', JSON.stringify(input, (_key, value: unknown) => inOrder(value)) ?? '')
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
