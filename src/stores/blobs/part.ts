/** A part of an object, together with how long the whole of it is. */
import { ObjectDamaged } from './damaged.ts'

/** Bytes `start` to `end`, inclusive, of an object of `size` bytes, as it was recorded. */
export type Part = { start: number; end: number; size: number }

/** Whether it is all of the object, and so covered by the digest. */
export function isWhole({ start, end, size }: Part): boolean {
  return start === 0 && end >= size - 1
}

/** @throws ObjectDamaged where the object has another length than was recorded. */
export function expectSize(object: string, size: number, found: number): void {
  if (found !== size) throw new ObjectDamaged(object, `has ${found} bytes instead of ${size}`)
}
