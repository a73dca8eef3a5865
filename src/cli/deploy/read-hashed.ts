/** Reads files again whose digests are known, and lets no other content through to the end. */
import { createHash, hash } from 'node:crypto'
import { closeSync, createReadStream } from 'node:fs'
import { pipeline, type Readable, Transform } from 'node:stream'
import { readUpTo } from '../../stores/data-dir/read-bounded.ts'
import type { HashedFile } from './hash-files.ts'
import { changed, openFound } from './open-found.ts'

/** The content of the file. @throws Failure for one that changed since its digest was computed. */
export function readHashed(file: HashedFile): Buffer {
  const fd = openFound(file)
  try {
    const content = readUpTo(fd, file.size)
    if (hash('sha256', content) !== file.sha256) throw changed(file.path)
    return content
  } finally {
    closeSync(fd)
  }
}

/**
 * The same as a stream, which fails in place of its last piece for a file that changed.
 * @throws Failure for one that isn't the file that was found.
 */
export function streamHashed(file: HashedFile): Readable {
  const content = createReadStream('', { fd: openFound(file), start: 0, end: file.size - 1 })
  // Errors are the stream's.
  return pipeline(content, holdBack(file), () => {})
}

/** Passes on what it gets, and the last piece only if all of it has the digest of the file. */
function holdBack({ path, sha256 }: HashedFile): Transform {
  const digest = createHash('sha256')
  let last: Buffer = Buffer.alloc(0)
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      digest.update(piece)
      if (last.length > 0) this.push(last)
      last = piece
      done()
    },
    flush(done) {
      if (digest.digest('hex') === sha256) done(null, last)
      else done(changed(path))
    },
  })
}
