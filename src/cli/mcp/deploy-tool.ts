/** The tool that deploys a directory, as `svc deploy` does. */
import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, relative, resolve } from 'node:path'
import { describeSources } from '../../lib/frameworks/describe.ts'
import type { Sources } from '../../lib/frameworks/recognize.ts'
import { usageFailure } from '../command-failure.ts'
import { deployDirectory, requireWithin } from '../deploy/deploy-directory.ts'
import { findLink } from '../deploy/destination.ts'
import { isBelow } from '../deploy/is-below.ts'
import { requireDirectory } from '../deploy/walk-site.ts'
import type { Choice } from '../frameworks/choose.ts'
import type { Io } from '../io.ts'
import type { Tool } from './protocol.ts'

const title = 'Deploy a directory'

/** No path is in it: names of directories are whoever's who made them. */
export function deployTool(): Tool {
  const properties = {
    directory: {
      type: 'string',
      description: 'Relative to the one of this server. Default: what svc.json says, or that one',
    },
    project: { type: 'string', description: "Its name or id; created if it is missing. Default: svc.json's" },
    target: { type: 'string', enum: targets, default: 'preview' },
    sources: {
      type: 'string',
      enum: choices,
      description: 'Of sources: remote has the server build them, as-is sends them',
    },
  }
  return {
    name: 'deploy_directory',
    title,
    description:
      `${title}. Sends the files of the directory that svc mcp is for, or of one inside it, and returns ` +
      'the deployment, with notes of what else was changed. The project, and how its sources are built, ' +
      'are kept in svc.json, whose settings replace those of the project at each deployment. ' +
      'If its state is queued or building, call deployments_get with wait_s until it is final. ' +
      'A production deployment replaces what visitors see. .git, node_modules, .env files and what ' +
      '.svcignore names are left out; anything else in the directory becomes public.',
    inputSchema: { type: 'object', properties, additionalProperties: false },
    annotations: { title, readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  }
}

const targets = ['preview', 'production']
const choices = ['remote', 'as-is'] satisfies Choice[]

/**
 * Whether directories in `start` may be deployed: not if that is the file system, or holds a home
 * directory, as where a desktop program starts its servers.
 */
export function isNarrow(start: string): boolean {
  return !isBelow(relative(start, realpathIfAny(homedir())))
}

/**
 * Deploys, and resolves to the deployment, with the notes that a terminal would show.
 * @throws Failure (2) that names the argument that is wrong, and where sources need a choice.
 */
export async function callDeploy(io: Io, url: string, start: string, args: Record<string, unknown>) {
  const { directory, project, target, sources } = checked(args)
  if (directory !== undefined) requireOwn(start, directory)
  const linked = findLink(start, directory)
  if (linked?.project === undefined && project === undefined) {
    throw usageFailure('project: pass the name of a project, since no svc.json here says which.')
  }
  const notes: string[] = []
  const { deployment } = await deployDirectory(
    { ...io, noted: (line) => notes.push(line) },
    { url, json: true },
    {
      cwd: start,
      ...{ directory, project },
      prod: target === 'production',
      meta: {},
      choice: choices.find((each) => each === sources),
      askChoice,
      within: start,
    },
  )
  return notes.length === 0 ? deployment : { ...deployment, notes }
}

/** @throws Failure (2), since nobody can be asked. */
async function askChoice(sources: Sources): Promise<Choice> {
  const { build, output, start } = sources
  const asIs = 'as-is to deploy the sources.'
  if (start !== undefined) {
    const sentence = 'The last deployment was a static site. Pass sources: remote to run the server,'
    throw usageFailure(`sources: ${describeSources(sources)} ${sentence} ${asIs}`)
  }
  const ways =
    build === undefined
      ? `Pass the one with the site as directory; or pass sources: ${asIs}`
      : `Run \`${build}\` yourself and pass its output${output === undefined ? '' : `, ${output},`} as ` +
        `directory; or pass sources: remote to have the server build, ${asIs}`
  throw usageFailure(`sources: ${describeSources(sources)} ${ways}`)
}

function requireOwn(start: string, directory: string): void {
  if (isAbsolute(directory) || directory.split(/[\\/]/).includes('..')) {
    throw usageFailure(`directory: pass a path relative to ${start}, without "..".`)
  }
  const wanted = resolve(start, directory)
  requireDirectory(wanted)
  requireWithin(start, wanted)
}

function checked(args: Record<string, unknown>) {
  const { directory, project, target, sources, ...others } = args
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw usageFailure(`${unknown}: this tool has no such argument.`)
  return {
    directory: textOf('directory', directory),
    project: textOf('project', project),
    target: oneOf('target', targets, target),
    sources: oneOf('sources', choices, sources),
  }
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value
  throw usageFailure(`${name}: pass a text.`)
}

function oneOf(name: string, allowed: string[], value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw usageFailure(`${name}: pass one of ${allowed.join(', ')}.`)
}

function realpathIfAny(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
