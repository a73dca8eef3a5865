/** `svc admin backup`: the database and the files of all sites, while nodes run. */
import { Command, Option } from 'commander'
import type { Settings } from '../../lib/settings/variables.ts'
import type { BackedUp } from '../../operate/backup/back-up.ts'
import type { Ran } from '../../operate/backup/run-backup.ts'
import { askOperator } from '../ask-operator.ts'
import { Failure, usageFailure } from '../command-failure.ts'
import { createProgress } from '../deploy/progress.ts'
import { exitCodes } from '../exit-codes.ts'
import { type GlobalOptions, globalOptions, type Io } from '../io.ts'
import { nodeSettings } from '../node-settings.ts'
import { count, size } from '../terminal/format.ts'
import { warn, write, writeJson } from '../terminal/output.ts'

const examples = `
Examples:
  $ svc admin backup /var/backups/svc --keep 14
  $ svc admin backup s3://my-bucket/backups      with the settings SVC_S3_*

Backups in one place share the files of sites: a daily one copies what is new. docs/backup.md has more.`

type Options = { blobs: 'copy' | 'reference'; withKey?: boolean; keep?: string }

/** The command `svc admin backup`. */
export function backupCommand(io: Io): Command {
  return new Command('backup')
    .description('back up the database and the files of all sites, while nodes run')
    .argument('<place>', 'a directory, or s3://<bucket>/<prefix>')
    .addOption(
      new Option('--blobs <how>', 'copy the files of sites, or only list those of a bucket')
        .choices(['copy', 'reference'])
        .default('copy'),
    )
    .option('--with-key', 'include the encryption key: who has the backup can read everything in it')
    .option('--keep <number>', 'remove older backups there, except for this many')
    .addHelpText('after', examples)
    .action((place: string, options: Options, command: Command) =>
      finish(io, backUp(io, place, options, globalOptions(command))),
    )
}

/** Ctrl-C waits for `work`, which removes what it has begun. */
export function finish(io: Io, work: Promise<void>): Promise<void> {
  io.unfinished?.add(work)
  return work
}

/** The settings for a place of backups that is a bucket; undefined for a directory. */
export async function bucketSettings(io: Io, place: string): Promise<Settings | undefined> {
  return place.startsWith('s3:') ? nodeSettings({ ...io, env: { ...io.env, SVC_BLOBS: place } }) : undefined
}

async function backUp(
  io: Io,
  place: string,
  { blobs, withKey = false, keep }: Options,
  { json = false }: GlobalOptions,
): Promise<void> {
  if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep))
    throw usageFailure('--keep should be a whole number from 1 on.')
  const node = await nodeSettings(io)
  const bucket = await bucketSettings(io, place)
  // Most of the program: other commands start faster without it.
  const { runBackUp } = await import('../../operate/backup/run-backup.ts')
  const progress = createProgress(io, json)
  const hold = async (extend: boolean) => (await askOperator(io, 'holdCollection', { extend })).held
  const requests = {
    hold: { begin: async () => void (await hold(false)), extend: () => hold(true) },
    copyDatabase: async () => (await askOperator(io, 'copyDatabase', {})).directory,
  }
  const files = blobs === 'copy' ? 'copied' : 'referenced'
  const options = { files, withKey, keep: keep === undefined ? undefined : Number(keep) } as const
  const made = await runBackUp({
    node,
    place,
    bucket,
    requests,
    signal: io.signal,
    progress,
    ...options,
  }).finally(progress.end)
  if (json) writeJson(io, summary(made))
  else report(io, made)
  const { missing, missing_count: lost } = made.description.files
  if (lost === 0) return
  throw new Failure(exitCodes.failure, {
    reason: 'failed',
    message:
      `The backup is whole, but for ${lost} files that are missing or damaged in the installation itself ` +
      '(`svc admin check` says of what):',
    items: missing,
  })
}

function summary({ backup, location, description, copied, pruned }: Ran<BackedUp>) {
  const { installation, migration, engine, taken_at, tables, files, encryption_key } = description
  const { kept, count: all, bytes, missing_count } = files
  return {
    backup,
    location,
    installation,
    migration,
    engine,
    taken_at,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: {
      kept,
      count: all,
      bytes,
      missing: missing_count,
      copied: copied.files,
      copied_bytes: copied.bytes,
    },
    encryption_key_included: encryption_key.included,
    removed: pruned,
  }
}

function report(io: Io, made: Ran<BackedUp>): void {
  const { backup, location, rows, files, removed } = summary(made)
  const how =
    files.kept === 'copied'
      ? `${count(files.copied)} of them new (${size(files.copied_bytes)})`
      : `by reference: they stay in ${made.description.files.location}`
  write(io, `Backup ${backup} in ${location} is complete.`)
  write(io, `  ${count(rows)} rows, ${count(files.count)} files of sites (${size(files.bytes)}), ${how}`)
  if (removed.backups > 0)
    write(io, `  ${count(removed.backups)} older backups and ${count(removed.files)} files removed`)
  warn(
    io,
    made.description.encryption_key.included
      ? 'It contains the encryption key: ' +
          'who can read it can read the values of variables and webhook secrets.'
      : 'It does not contain the encryption key, ' +
          'without which the values of variables and webhook secrets are lost: ' +
          `keep a copy of the one in ${made.keyLocation} in another place.`,
  )
}
