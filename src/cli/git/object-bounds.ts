/** How much is read of objects, whatever they say of themselves. */
import { constants, type ZlibOptions } from 'node:zlib'

/** The largest object: more than any commit has. */
export const maxObjectBytes = 1024 * 1024

/** Inflates at most `maxBytes`, also from bytes behind which others follow, or that end early. */
export function inflateOptions(maxBytes: number): ZlibOptions {
  return { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(maxBytes, 1) }
}
