/** The settings in a pushed `svc.json` for its own deployment. */
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { parseJsonText } from '../../lib/json-text.ts'
import { pathProblem } from '../../lib/names/file-path.ts'
import { fields } from '../projects/fields.ts'
import { buildChanges, type deploymentBuildChanges } from '../projects/project-input.ts'
import type { Objects } from './objects.ts'
import { contentOf, type Entry } from './tree.ts'

/** Its name. */
export const projectFile = 'svc.json'

const maxBytes = 64 * 1024

const fileSchema = z.looseObject({
  build: buildChanges.nullable().optional(),
  start: fields.start.input,
  spa: z.boolean().nullable().optional(),
  directory: z
    .string()
    .transform((path) => path.replace(/^(\.\/)+|\/+$/g, ''))
    .refine(
      (path) => path === '.' || path === '' || pathProblem(path) === undefined,
      'must be a path below it',
    )
    .optional(),
})

/** Those of the command that say nothing about a deployment. */
const ofCommand = ['$schema', 'project', 'server']

export type PushedSettings = {
  build: z.infer<typeof deploymentBuildChanges>
  /** Whether a `build` is given, also one without commands: then nothing is guessed. */
  isDecided: boolean
  /** Null where it says nothing of it. */
  spa: boolean | null
  /** Where the site is, relative to the root; empty for the root. */
  folder: string
  /** The fields that a push changes nothing by. */
  ignored: string[]
  /** All other entries of the commit. */
  others: Entry[]
}

/**
 * The settings in the file at the root of a commit, which decide over its content alone: who sees a project,
 * what goes live, and its names are settings of the project.
 * @throws AppError `invalid_input` that names the file and the field.
 */
export async function readPushedSettings(objects: Objects, entries: Entry[]): Promise<PushedSettings> {
  const entry = entries.find(({ path, mode }) => path === projectFile && mode.startsWith('100'))
  if (!entry) return { build: {}, isDecided: false, spa: null, folder: '', ignored: [], others: entries }
  if (entry.size > maxBytes) throw wrong(`has more than ${maxBytes} bytes`)
  const read = fileSchema.safeParse(parse((await contentOf(objects, entry)).toString()))
  if (!read.success) {
    const [issue] = read.error.issues
    throw wrong(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const others = entries.filter((each) => each !== entry)
  if (others.length === 0) throw wrong('is the only file of the commit')
  const { build, start, spa = null, directory = '', ...rest } = read.data
  return {
    build: { ...build, ...(start !== undefined && { start }) },
    isDecided: build !== undefined,
    spa,
    folder: directory === '.' ? '' : directory,
    ignored: Object.keys(rest).filter((field) => !ofCommand.includes(field)),
    others,
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonText(text)
  } catch (error) {
    throw wrong(`is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function wrong(problem: string): AppError {
  return new AppError('invalid_input', `${projectFile}: ${problem}.`)
}
