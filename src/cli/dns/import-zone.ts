/** Replaces a domain's records with those of a zone file, after showing the changes. */
import type { Command } from 'commander'
import type { RouterOutputs } from '../../api/client/index.ts'
import { usageFailure } from '../command-failure.ts'
import { connect } from '../connection/connect.ts'
import { globalOptions, type Io } from '../io.ts'
import { readText, readTextFile } from '../named-file.ts'
import { confirm } from '../terminal/confirm.ts'
import { warn, write, writeJson } from '../terminal/output.ts'
import { dataOf } from './record-data.ts'

type Imported = RouterOutputs['dns']['importZone']
type ImportedRecord = Imported['added'][number]

export type ImportOptions = { file: string; dryRun?: boolean; skip?: boolean; yes?: boolean }

/** As many as the server takes. */
const maxBytes = 6_000_000

/**
 * Imports `file`, or standard input for `-`.
 * @throws Failure without a terminal to confirm on, or if the user says no.
 */
export async function importZone(
  io: Io,
  domain: string,
  { file, dryRun, skip = false, yes }: ImportOptions,
  command: Command,
): Promise<void> {
  const options = globalOptions(command)
  if (!dryRun && !yes && !io.stdin.isTTY) {
    throw usageFailure('No terminal to confirm on: pass --yes, or --dry-run to see the changes.')
  }
  const { api } = connect(io, options)
  const zone = file === '-' ? await readInput(io) : await readTextFile(file, { maxBytes, signal: io.signal })
  const wanted = await api.dns.importZone.mutate({ domain, zone, skip, dry_run: true })
  if (!options.json) report(io, wanted)
  if (dryRun) return options.json ? writeJson(io, wanted) : undefined
  const changes = wanted.added.length + wanted.removed.length + wanted.changed.length
  if (!yes && changes > 0) await confirm(io, `Apply these changes to ${wanted.domain}?`)
  const done = await api.dns.importZone.mutate({ domain, zone, skip })
  if (options.json) return writeJson(io, done)
  warn(io, `Imported into ${done.domain}: ${summary(done)}.`)
}

async function readInput({ stdin, signal }: Io): Promise<string> {
  if (stdin.isTTY) throw usageFailure('Pass a file, or pipe one to standard input.')
  return readText(stdin, 'Standard input', { maxBytes, signal })
}

/** The changes go to standard output, notes and the summary to standard error. */
function report(io: Io, { added, removed, changed, skipped, adjusted, ...rest }: Imported): void {
  for (const record of removed) write(io, `- ${lineOf(record)}`)
  for (const record of changed) write(io, `~ ${lineOf(record)} (TTL was ${record.old_ttl})`)
  for (const record of added) write(io, `+ ${lineOf(record)}`)
  for (const { line, message } of adjusted) warn(io, `line ${line}: ${message}`)
  for (const { line, message } of skipped) warn(io, `line ${line}: ${message}; skipped`)
  warn(io, `${rest.domain}: ${summary({ added, removed, changed, ...rest })}.`)
}

function summary({
  added,
  removed,
  changed,
  unchanged,
}: Pick<Imported, 'added' | 'removed' | 'changed' | 'unchanged'>) {
  return `${added.length} added, ${removed.length} removed, ${changed.length} changed, ${unchanged} unchanged`
}

function lineOf(record: ImportedRecord): string {
  return `${record.name} ${record.ttl} ${record.type} ${dataOf(record)}`
}
