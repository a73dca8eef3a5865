/** Writes `svc.json`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { hasCode } from '../../data-dir/read-if-any.ts'
import { isLoopback } from '../../net/loopback.ts'
import { isRecord } from '../is-record.ts'
import type { FileSettings } from './project-file.ts'

/** What links a directory to a project; `directory` is relative to the file, undefined for its own folder. */
export type Link = {
  project: string
  server: string
  directory: string | undefined
  build?: FileSettings['build']
}

/** Writes the link into the file at `path`, keeping the settings that are there. */
export function writeLink(path: string, { project, server, directory, build }: Link): void {
  const { $schema, project: _project, server: _server, directory: _directory, ...settings } = readFields(path)
  const fields = {
    $schema: $schema ?? `${server}/svc.schema.json`,
    project,
    ...(!isLoopback(server) && { server }),
    ...(directory !== undefined && { directory }),
    ...settings,
    ...(build !== undefined && { build }),
  }
  writeFileSync(path, `${JSON.stringify(fields, null, 2)}\n`)
}

function readFields(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isRecord(value) ? value : {}
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {}
    throw error
  }
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
