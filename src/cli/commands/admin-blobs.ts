/** `svc admin blobs`: whose the stored files are, and which of them nothing needs. */
import { Command } from 'commander'
import type { Adoption } from '../../node/admin.ts'
import { askOperator } from '../ask-operator.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

/** The command `svc admin blobs` and those below it. */
export function blobsCommand(io: Io): Command {
  const adopt = new Command('adopt')
    .description(
      "make the files in the data directory this database's, where a node refuses to start on both",
    )
    .option('--yes', 'do not ask')
    .action((options: { yes?: boolean }, command: Command) => adoptBlobs(io, options, globalOptions(command)))
  const sweep = new Command('sweep')
    .description('put stored files aside that the database does not know, however many they are')
    .option('--yes', 'do not ask')
    .action((options: { yes?: boolean }, command: Command) => sweepBlobs(io, options, globalOptions(command)))
  return new Command('blobs').description('stored files and the database').addCommand(adopt).addCommand(sweep)
}

async function adoptBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  // Most of the program: other commands would only wait for it.
  const [settings, { openAdoption }] = await Promise.all([nodeSettings(io), import('../../node/admin.ts')])
  const adoption = await openAdoption(settings)
  try {
    const { belonging, directory } = adoption
    const isDone = belonging.owner !== undefined && belonging.owner === belonging.database
    if (!isDone) {
      warn(io, describe(adoption))
      if (!yes) await confirm(io, "Make them this database's?")
      await adoption.adopt()
    }
    if (json) writeJson(io, { directory, adopted: !isDone })
    else
      write(
        io,
        `The files in ${directory} are ${isDone ? "this database's already" : "this database's now"}.`,
      )
  } finally {
    await adoption.close()
  }
}

function describe({ directory, belonging }: Adoption): string {
  const { owner, database, isEmpty, sampled, found } = belonging
  const lines = [
    `Files: ${directory}${isEmpty ? ', which is empty' : ''}`,
    `  they belong to: ${owner ?? 'nobody said yet'}`,
    `Database: ${database ?? 'without an id yet'}`,
    `  of ${sampled} files that it knows, ${found} are there`,
    'Files that it does not know are kept for a while (SVC_TRASH_DAYS), then removed.',
  ]
  return lines.join('\n')
}

async function sweepBlobs(io: Io, { yes }: { yes?: boolean }, { json }: GlobalOptions): Promise<void> {
  const found = await askOperator(io, 'sweepBlobs', { only_count: true })
  if (found.stray > 0 && !yes) {
    warn(io, `Of ${found.objects} stored files older than an hour the database does not know ${found.stray}.`)
    const kept = found.kept_days > 0 ? `keep them for ${found.kept_days} days more` : 'remove them at once'
    await confirm(io, `Put them aside, and ${kept}?`)
  }
  const { swept } = found.stray > 0 ? await askOperator(io, 'sweepBlobs', { only_count: false }) : found
  if (json) writeJson(io, { objects: found.objects, swept })
  else write(io, `${swept} of ${found.objects} stored files were put aside.`)
}
