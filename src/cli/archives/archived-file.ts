/** A file of an archive, and the bounds of reading one. */
import type { FileCaps } from '../../platform/deployments/check-files.ts'

/**
 * A file of an archive, whose content has to be read before the next one, or a link to one of these files,
 * after all of them.
 */
export type ArchivedFile =
  | { path: string; content: AsyncIterable<Uint8Array> }
  | { path: string; linkTo: string }

/** More than servers take as a rule, and less than a disk has. */
export const caps: FileCaps = {
  maxFiles: 100_000,
  maxFileBytes: 4 * 1024 ** 3,
  maxDeploymentBytes: 4 * 1024 ** 3,
}
