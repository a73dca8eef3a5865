/** `svc admin blobs`: which database the stored files belong to, and which of them nothing references. */
import { Command } from 'commander'
import type { Adoption } from '../../operate/node/admin.ts'
import { askOperator } from '../ask-operator.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { joined, type OwnText } from '../terminal/text.ts'
import { blobsCopyCommand } from './admin-blobs-copy.ts'

/** The command `svc admin blobs` and its subcommands. */
export function blobsCommand(io: Io): Command {
  const adopt = new Command('adopt')
    .description(
      'assign the stored files to this database, when a node refuses to start because of a mismatch',
    )
    .option('--yes', 'skip the confirmation')
    .action((options: { yes?: boolean }, command: Command) => adoptBlobs(io, options, globalOptions(command)))
  const sweep = new Command('sweep')
    .description('move stored files that the database does not reference to the trash, however many')
    .option('--yes', 'skip the confirmation')
    .action((options: { yes?: boolean }, command: Command) => sweepBlobs(io, options, globalOptions(command)))
  return new Command('blobs')
    .description('stored files and the database')
    .addCommand(adopt)
    .addCommand(blobsCopyCommand(io))
    .addCommand(sweep)
}

async function adoptBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  const settings = await nodeSettings(io)
  // Most of the program: other commands start faster without it.
  const { openAdoption } = await import('../../operate/node/admin.ts')
  const adoption = await openAdoption(settings)
  try {
    const { location, isAdopted: isDone } = adoption
    if (!isDone) {
      warn(io, describe(adoption))
      if (!yes) await confirm(io, 'Assign them to this database?')
      await adoption.adopt()
    }
    if (json) writeJson(io, { location, adopted: !isDone })
    else write(io, `The files in ${location} ${isDone ? 'already belong' : 'now belong'} to this database.`)
  } finally {
    await adoption.close()
  }
}

function describe({ location, belonging }: Adoption): OwnText {
  const { owner, database, elsewhere, isEmpty, sampled, found } = belonging
  const lines = [
    `Files: ${location}${isEmpty ? ' (empty)' : ''}`,
    `  belong to: ${owner ?? 'not recorded yet'}`,
    `Database: ${database ?? 'no id yet'}`,
    `  ${found} of ${sampled} files that it references exist`,
    ...(elsewhere === undefined ? [] : [`  its files are recorded to be in ${elsewhere}`]),
    'Files that it does not reference are kept in the trash (SVC_TRASH_DAYS), then removed.',
  ]
  return joined(lines, '\n')
}

async function sweepBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  const found = await askOperator(io, 'sweepBlobs', { only_count: true })
  if (found.stray > 0 && !yes) {
    warn(
      io,
      `${found.stray} of ${found.objects} stored files older than an hour ` +
        'are not referenced by the database.',
    )
    const kept = found.kept_days > 0 ? `keep them there for ${found.kept_days} days` : 'remove them at once'
    await confirm(io, `Move them to the trash, and ${kept}?`)
  }
  const { swept } = found.stray > 0 ? await askOperator(io, 'sweepBlobs', { only_count: false }) : found
  if (json) writeJson(io, { objects: found.objects, swept })
  else write(io, `Moved ${swept} of ${found.objects} stored files to the trash.`)
}
