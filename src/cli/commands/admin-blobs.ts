/** `svc admin blobs`: which database the stored files belong to, and which of them nothing references. */
import { Command } from 'commander'
import type { Adoption } from '../../node/admin.ts'
import { askOperator } from '../ask-operator.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

/** The command `svc admin blobs` and its subcommands. */
export function blobsCommand(io: Io): Command {
  const adopt = new Command('adopt')
    .description(
      'assign the files in the data directory to this database, when a node refuses to start because of a mismatch',
    )
    .option('--yes', 'skip the confirmation')
    .action((options: { yes?: boolean }, command: Command) => adoptBlobs(io, options, globalOptions(command)))
  const sweep = new Command('sweep')
    .description('move stored files that the database does not reference to the trash, however many')
    .option('--yes', 'skip the confirmation')
    .action((options: { yes?: boolean }, command: Command) => sweepBlobs(io, options, globalOptions(command)))
  return new Command('blobs').description('stored files and the database').addCommand(adopt).addCommand(sweep)
}

async function adoptBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  // Most of the program: other commands start faster without it.
  const [settings, { openAdoption }] = await Promise.all([nodeSettings(io), import('../../node/admin.ts')])
  const adoption = await openAdoption(settings)
  try {
    const { belonging, directory } = adoption
    const isDone = belonging.owner !== undefined && belonging.owner === belonging.database
    if (!isDone) {
      warn(io, describe(adoption))
      if (!yes) await confirm(io, 'Assign them to this database?')
      await adoption.adopt()
    }
    if (json) writeJson(io, { directory, adopted: !isDone })
    else write(io, `The files in ${directory} ${isDone ? 'already belong' : 'now belong'} to this database.`)
  } finally {
    await adoption.close()
  }
}

function describe({ directory, belonging }: Adoption): string {
  const { owner, database, isEmpty, sampled, found } = belonging
  const lines = [
    `Files: ${directory}${isEmpty ? ' (empty)' : ''}`,
    `  belong to: ${owner ?? 'not recorded yet'}`,
    `Database: ${database ?? 'no id yet'}`,
    `  ${found} of ${sampled} files that it references exist`,
    'Files that it does not reference are kept in the trash (SVC_TRASH_DAYS), then removed.',
  ]
  return lines.join('\n')
}

async function sweepBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  const found = await askOperator(io, 'sweepBlobs', { only_count: true })
  if (found.stray > 0 && !yes) {
    warn(
      io,
      `${found.stray} of ${found.objects} stored files older than an hour are not referenced by the database.`,
    )
    const kept = found.kept_days > 0 ? `keep them there for ${found.kept_days} days` : 'remove them at once'
    await confirm(io, `Move them to the trash, and ${kept}?`)
  }
  const { swept } = found.stray > 0 ? await askOperator(io, 'sweepBlobs', { only_count: false }) : found
  if (json) writeJson(io, { objects: found.objects, swept })
  else write(io, `Moved ${swept} of ${found.objects} stored files to the trash.`)
}
