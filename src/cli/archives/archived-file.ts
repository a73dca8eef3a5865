/** What archives are read as, and how much of it. */
import type { FileCaps } from '../../deployments/plan-files.ts'

/** A file of an archive; its content has to be read before the next one. */
export type ArchivedFile = { path: string; content: AsyncIterable<Uint8Array> }

/** More than servers take as a rule, and less than a disk has. */
export const caps: FileCaps = {
  maxFiles: 100_000,
  maxFileBytes: 4 * 1024 ** 3,
  maxDeploymentBytes: 4 * 1024 ** 3,
}
