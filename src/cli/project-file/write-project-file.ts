/** Writes `svc.json`. */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { parseJsonText } from '../../lib/json-text.ts'
import { isLoopback } from '../../lib/net/loopback.ts'
import { readDecidingFile } from '../read-file.ts'
import { type FileSettings, maxProjectFileBytes } from './project-file.ts'

/** Never through a link, to a file elsewhere. Windows has no such flag. */
const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants

/**
 * The link of a directory to a project; `directory` is relative to the file, undefined for its own folder.
 */
export type Link = {
  project: string
  server: string
  directory: string | undefined
  build?: FileSettings['build']
  start?: FileSettings['start']
}

/** Writes the link into the file at `path`, keeping the settings that are there. */
export function writeLink(path: string, { project, server, directory, build, start }: Link): void {
  const { $schema, project: _project, server: _server, directory: _directory, ...settings } = readFields(path)
  const fields = {
    $schema: $schema ?? `${server}/svc.schema.json`,
    project,
    ...(!isLoopback(server) && { server }),
    ...(directory !== undefined && { directory }),
    ...settings,
    ...(build !== undefined && { build }),
    ...(start !== undefined && { start }),
  }
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW)
  try {
    writeFileSync(file, `${JSON.stringify(fields, null, 2)}\n`)
  } finally {
    closeSync(file)
  }
}

function readFields(path: string): Record<string, unknown> {
  const text = readDecidingFile(path, maxProjectFileBytes)
  const value: unknown = text === undefined ? {} : parseJsonText(text)
  return isRecord(value) ? value : {}
}

/** A project name made from the name of a folder. */
export function suggestName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return name === '' || name.slice(2, 4) === '--' ? 'site' : name
}
