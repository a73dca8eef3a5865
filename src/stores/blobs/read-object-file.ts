/** Reads the files of objects, so that nobody gets all of a wrong one. */
import type { BigIntStats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ObjectDamaged } from './damaged.ts'
import { holdLast } from './hold-last.ts'
import { verifyObject } from './object-identity.ts'
import { expectSize, isWhole, type Part } from './part.ts'
import { readRange } from './stream-file.ts'
import type { VerifiedFiles } from './verified-files.ts'

/**
 * The bytes of `part`, which is verified where it is the whole object or the file was verified before;
 * without one, those of the whole object, always verified. @throws ObjectDamaged.
 */
export async function* readObjectFile(
  file: FileHandle,
  object: string,
  part: Part | undefined,
  verified: VerifiedFiles,
): AsyncGenerator<Buffer> {
  const found = await file.stat({ bigint: true })
  if (part) {
    const { start, end, size } = part
    expectSize(object, size, Number(found.size))
    if (verified.has(object, found)) {
      const bytes = Math.min(end + 1, size) - start
      yield* holdLast(readRange(file, start, end), () => expectSame(object, file, found), bytes)
      return
    }
    if (!isWhole(part)) {
      yield* readRange(file, start, end)
      return
    }
  }
  verified.drop(object)
  const source = readRange(file, 0, Number.POSITIVE_INFINITY)
  yield* verifyObject(object, source, { bytes: Number(found.size) })
  verified.add(object, found)
}

/** Not by `ctime`: a file may be deleted while it is read. */
async function expectSame(object: string, file: FileHandle, before: BigIntStats): Promise<void> {
  const { size, mtimeNs } = await file.stat({ bigint: true })
  if (size !== before.size || mtimeNs !== before.mtimeNs)
    throw new ObjectDamaged(object, 'was changed while it was read')
}
