/** `svc admin blobs copy`: between the data directory and buckets, while nodes run. */
import { Command } from 'commander'
import type { Settings } from '../../lib/settings/variables.ts'
import type { Copied } from '../../stores/blobs/copy-objects.ts'
import { Failure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { size } from '../terminal/format.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

const examples = `
Places are \`files\`, the directory blobs in SVC_DATA_DIR, and buckets, with the settings SVC_S3_*.

Example, to move an installation into a bucket:
  $ svc admin blobs copy files s3://my-bucket/svc    while the nodes run
  Stop the nodes, and run it again: it copies what is new.
  Start them with SVC_BLOBS=s3://my-bucket/svc.`

/** How often progress is reported. */
const reportEveryMs = 2_000

/** The command `svc admin blobs copy`. */
export function blobsCopyCommand(io: Io): Command {
  return new Command('copy')
    .description('copy stored files from one place to another, leaving out those that are there')
    .argument('<from>', '`files` or s3://<bucket>/<prefix>')
    .argument('<to>', 'the same')
    .addHelpText('after', examples)
    .action((from: string, to: string, _options, command: Command) =>
      copy(io, { from, to }, globalOptions(command)),
    )
}

async function copy(
  io: Io,
  { from, to }: { from: string; to: string },
  { json }: GlobalOptions,
): Promise<void> {
  const [source, target] = [await settingsOf(io, from), await settingsOf(io, to)]
  // Most of the program: other commands start faster without it.
  const { copyBlobs } = await import('../../stores/blobs/copy-blobs.ts')
  let reportedMs = Date.now()
  const progress = (soFar: Copied) => {
    if (Date.now() - reportedMs < reportEveryMs) return
    reportedMs = Date.now()
    warn(io, `Copied ${describe(soFar)} so far.`)
  }
  const copied = await copyBlobs(source, target, { signal: io.signal, progress })
  if (json) writeJson(io, copied)
  else write(io, `Copied ${describe(copied)} from ${copied.from} to ${copied.to}; the others are there.`)
  if (copied.damaged.length === 0) return
  throw new Failure(exitCodes.failure, {
    reason: 'failed',
    message: `Not copied, since their bytes are not those that were stored:`,
    items: copied.damaged,
  })
}

function settingsOf(io: Io, place: string): Promise<Settings> {
  return nodeSettings({ ...io, env: { ...io.env, SVC_BLOBS: place === 'files' ? '' : place } })
}

function describe({ objects, copied, bytes }: Copied): string {
  return `${copied} of ${objects} files (${size(bytes)})`
}
