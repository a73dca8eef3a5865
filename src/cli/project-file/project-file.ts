/** `svc.json`: the project that a directory belongs to, if it says so, with its server and settings. */
import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RouterInputs } from '../../api/client/index.ts'
import { isRecord } from '../../lib/is-record.ts'
import { parseJsonText } from '../../lib/json-text.ts'
import { parseUrl } from '../../lib/names/parse-url.ts'
import type { FieldFacts } from '../../platform/projects/describe-fields.ts'
import { namesOf } from '../../platform/projects/field.ts'
import { buildFacts, fieldFacts, runtimeFacts } from '../../platform/projects/field-facts.ts'
import type { FileField } from '../../platform/projects/fields.ts'
import { type FileSetting, fileFields, fileSettings } from '../../platform/projects/file-settings.ts'
import { usageFailure } from '../command-failure.ts'
import { isChangeOf, isValueOf, kindOf } from '../project-fields.ts'
import { readDecidingFile } from '../read-file.ts'

export const projectFileName = 'svc.json'

type PutInput = RouterInputs['projects']['put']

/** The project's settings that may be in the file; those left out are not changed. */
export type FileSettings = Pick<PutInput, FileSetting>

export type ProjectFile = {
  /** Left out where the settings are those of any project that is deployed from here. */
  project?: string
  /** The origin of the server. */
  server?: string
  /** The directory to deploy, relative to the file. */
  directory?: string
  settings: FileSettings
}

/** A file with its place. */
export type FoundProjectFile = ProjectFile & { path: string; folder: string }

const readers = { $schema: text, project: text, server: origin, directory: folderBelow }

/** Every field of `svc.json`. */
export const projectFileFields = [...Object.keys(readers), ...fileSettings]

/** Many times what all settings take. */
export const maxProjectFileBytes = 64 * 1024

/**
 * The file that is closest to `start`, in it or in a folder above.
 * @throws Failure (2) that names the file and what is wrong: a field, that it is a link or no regular file,
 * its size, or its
 *   owner, who is neither the user nor root.
 */
export function findProjectFile(start: string): FoundProjectFile | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, projectFileName)
    if (entriesOf(folder).some((entry) => entry.name === projectFileName && !entry.isDirectory())) {
      const content = readDecidingFile(path, maxProjectFileBytes)
      if (content !== undefined) return { ...parseProjectFile(content, path), path, folder }
    }
    if (dirname(folder) === folder) return undefined
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // Folders above may be closed to this user, and the start may not exist.
    return []
  }
}

/** @throws Failure (2) that names the file and the field that is wrong. */
export function parseProjectFile(content: string, path: string): ProjectFile {
  const value = parseJson(content, path)
  const unknown = Object.keys(value).find((key) => !projectFileFields.includes(key))
  if (unknown !== undefined) throw usageFailure(`${path}: ${unknownField(unknown)}`)
  const read = <T>(field: string, reader: (value: unknown) => T): T | undefined => {
    if (value[field] === undefined) return undefined
    try {
      return reader(value[field])
    } catch (error) {
      throw usageFailure(`${path}: ${field}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  read('$schema', readers.$schema)
  const project = read('project', readers.project)
  const server = read('server', readers.server)
  const directory = read('directory', readers.directory)
  const settings: FileSettings = {}
  const buildChanges = read('build', orNull(build))
  if (buildChanges !== undefined) settings.build = buildChanges
  const runtimeChanges = read('runtime', orNull(runtime))
  if (runtimeChanges !== undefined) settings.runtime = runtimeChanges
  const take = <F extends FileField>(field: F) => {
    const setting = read(
      field,
      orNull((given) =>
        isValueOf<NonNullable<FileSettings[F]>>(fieldFacts[field], given)
          ? given
          : wrong(kindOf(fieldFacts[field])),
      ),
    )
    if (setting !== undefined) settings[field] = setting
  }
  for (const field of fileFields) take(field)
  return {
    ...(project !== undefined && { project }),
    ...(server !== undefined && { server }),
    ...(directory !== undefined && { directory }),
    settings,
  }
}

function parseJson(content: string, path: string): Record<string, unknown> {
  let value: unknown
  try {
    value = parseJsonText(content)
  } catch (error) {
    throw usageFailure(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (isRecord(value)) return value
  throw usageFailure(`${path} must be a JSON object.`)
}

const elsewhere: Partial<Record<string, string>> = {
  env: 'set variables with `svc env`, so that their values are in no file',
  bypass_secret: 'a secret belongs in no file',
  password: 'a password belongs in no file',
  name: 'rename a project with `svc projects rename`',
}

function unknownField(name: string): string {
  return `${name}: ${elsewhere[name] ?? `unknown field; known are ${projectFileFields.join(', ')}`}`
}

function wrong(expected: string): never {
  throw new Error(`must be ${expected}`)
}

function orNull<T>(reader: (value: unknown) => T): (value: unknown) => T | null {
  return (value) => (value === null ? null : reader(value))
}

function text(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : wrong('a string')
}

function origin(value: unknown): string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : wrong('an address such as https://svc.example.com, without a path')
}

function folderBelow(value: unknown): string {
  const path = text(value)
  const leaves = path.split(/[\\/]/).includes('..') || /^([\\/]|[A-Za-z]:)/.test(path)
  return leaves ? wrong('a relative path without ..') : path
}

function build(value: unknown): NonNullable<FileSettings['build']> {
  return parts<NonNullable<FileSettings['build']>>(buildFacts, value)
}

function runtime(value: unknown): NonNullable<FileSettings['runtime']> {
  return parts<NonNullable<FileSettings['runtime']>>(runtimeFacts, value)
}

/** The settings in an object that has rows of a table. */
function parts<Changes extends object>(
  facts: { [Name in keyof Changes]-?: FieldFacts },
  value: unknown,
): Partial<Changes> {
  if (!isRecord(value)) return wrong('an object')
  const names = namesOf(facts)
  const unknown = Object.keys(value).find((key) => !names.some((name) => name === key))
  if (unknown !== undefined) throw new Error(`unknown field ${unknown}; known are ${names.join(', ')}`)
  const changes: Partial<Changes> = {}
  const take = <Name extends keyof Changes>(name: Name) => {
    const setting = value[String(name)]
    if (setting === undefined) return
    if (isChangeOf<Changes[Name]>(facts[name], setting)) changes[name] = setting
    else wrong(`an object whose ${String(name)} is ${kindOf(facts[name])} or null`)
  }
  for (const name of names) take(name)
  return changes
}
