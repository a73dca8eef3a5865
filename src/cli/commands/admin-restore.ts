/** `svc admin restore`: a backup, into an installation where no node runs. */
import { Command } from 'commander'
import { Failure } from '../command-failure.ts'
import { createProgress } from '../deploy/progress.ts'
import { exitCodes } from '../exit-codes.ts'
import { explain } from '../explain.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { count, size } from '../terminal/format.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { bucketSettings, finish } from './admin-backup.ts'

const examples = `
Examples:
  $ svc admin restore /var/backups/svc
  $ svc admin restore s3://my-bucket/backups --backup 2026-01-31T02-00-00.000Z

It restores into the database and the files of the settings. Stop all nodes first. docs/backup.md has more.`

type Options = { backup?: string; replace?: boolean; incomplete?: boolean; newKey?: boolean }

/** The command `svc admin restore`. */
export function restoreCommand(io: Io): Command {
  return new Command('restore')
    .description('restore a backup into an installation where no node runs')
    .argument('<place>', 'a directory, or s3://<bucket>/<prefix>')
    .option('--backup <name>', 'another than the newest')
    .option('--replace', 'replace the installation that is there')
    .option('--incomplete', 'restore although files of sites are missing or damaged')
    .option('--new-key', 'do without the encryption key: variables and webhook secrets are lost')
    .addHelpText('after', examples)
    .action((place: string, options: Options, command: Command) =>
      finish(io, restore(io, place, options, globalOptions(command))),
    )
}

async function restore(
  io: Io,
  place: string,
  { backup, replace = false, incomplete = false, newKey = false }: Options,
  { json = false }: GlobalOptions,
): Promise<void> {
  const node = await nodeSettings(io)
  const bucket = await bucketSettings(io, place)
  // Most of the program: other commands start faster without it.
  const [{ runRestore }, { BrokenOff }] = await Promise.all([
    import('../../operate/backup/run-backup.ts'),
    import('../../operate/backup/broken-off.ts'),
  ])
  const progress = createProgress(io, json)
  const restored = await runRestore({
    node,
    place,
    bucket,
    backup,
    replace,
    incomplete,
    newKey,
    signal: io.signal,
    progress,
  })
    .finally(progress.end)
    .catch((error: unknown) => {
      throw error instanceof BrokenOff ? withState(error) : error
    })
  const { description, copied, missing, secretsLost } = restored
  const rows = description.tables.reduce((sum, table) => sum + table.rows, 0)
  const { count: files, bytes } = description.files
  if (json) {
    const lost = { missing: missing.count, secrets_lost: secretsLost }
    writeJson(io, { backup: restored.backup, rows, files, copied: copied.files, ...lost })
  } else {
    write(
      io,
      `Restored backup ${restored.backup}: ` +
        `${count(rows)} rows, ${count(files)} files of sites (${size(bytes)}).`,
    )
    write(io, 'Start a node on it.')
  }
  if (secretsLost)
    warn(
      io,
      'Variables have no values any more, and webhooks are disabled: their owners have to create them again.',
    )
  if (missing.count === 0) return
  throw new Failure(exitCodes.failure, {
    reason: 'failed',
    message: `All is restored but ${missing.count} files of sites, which were missing or damaged:`,
    items: missing.objects,
  })
}

/** The failure, then on a line of its own the state after it. */
function withState({ cause, message: state }: Error): Failure {
  const { body, exitCode } = explain(cause)
  return new Failure(exitCode, { ...body, items: [...(body.items ?? []), state] }, cause)
}
