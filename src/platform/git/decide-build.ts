/** Decides how a commit is built about which neither the project nor `svc.json` says it. */
import { AppError } from '../../lib/errors.ts'
import { describeServer, describeSources } from '../../lib/frameworks/describe.ts'
import { recognize, type Sources } from '../../lib/frameworks/recognize.ts'
import { firstPage } from '../../lib/frameworks/signs.ts'
import type { DeploymentBuild } from '../../stores/db/schema/projects.ts'
import { foundAmong, readable } from './found-among.ts'
import type { Objects } from './objects.ts'
import type { TreeFile } from './tree.ts'

/** The settings, undefined for those of a site, and sentences about them for the pusher. */
export type Decision = { build: Partial<DeploymentBuild> | undefined; remarks: string[] }

/** The files that are sent, and the directory in which they are built; empty for their root. */
type Sent = { files: readonly TreeFile[]; at: string }

/** The facts of a project: its settings, and whether its last ready deployment was a static site. */
type Known = { build: DeploymentBuild; wasStatic: () => Promise<boolean> }

/**
 * The build of sources of a known framework, or of others that a command starts; undefined for a site. A page
 * beside those of a server goes on as a site where the project was one.
 * @throws AppError `invalid_input` for a manifest that can't be read, and for other sources, with the
 * `svc.json` that decides.
 */
export async function decideBuild(
  objects: Objects,
  { files, at }: Sent,
  { build: known, wasStatic }: Known,
): Promise<Decision | undefined> {
  const found = await foundAmong(objects, files, at)
  const contents = await readable(() => recognize(found, at))
  if (contents.kind === 'site') return undefined
  const { sources } = contents
  const { framework, install, build, output, isServer, start, advice } = sources
  const install_command = known.install_command ?? install ?? null
  if (known.start && (framework === undefined || isServer))
    return { build: { install_command, build_command: build ?? null }, remarks: [] }
  if (start !== undefined && (await wasStatic())) {
    if (!sources.hasPage) throw new AppError('invalid_input', undecided(sources, files))
    return { build: undefined, remarks: [`${describeSources(sources)} ${staysSite(start)}`] }
  }
  if (isServer) {
    if (advice !== undefined) throw new AppError('invalid_input', `${framework ?? 'A server'}: ${advice}.`)
    const remarks = [`${describeServer(sources)} ${settingsFirst}`]
    const build_command = build ?? null
    return { build: { install_command, build_command, ...(start !== undefined && { start }) }, remarks }
  }
  if (framework === undefined || build === undefined || output === undefined)
    throw new AppError('invalid_input', undecided(sources, files))
  return {
    build: {
      install_command,
      build_command: build,
      output_directory: output,
    },
    remarks: [`${describeSources(sources)} ${settingsFirst}`],
  }
}

const staysSite = (start: string) =>
  'The last deployment was a static site, and so is this one: ' +
  `${JSON.stringify({ start })} in svc.json makes it a server.`

const settingsFirst = 'The build settings of the project or of svc.json come first, if there are any.'

/**
 * Resolves where the files are a site: one in a directory is published with all that is around it.
 * @throws AppError `invalid_input` as `decideBuild` does, for all sources.
 */
export async function requireSite(objects: Objects, files: readonly TreeFile[]): Promise<void> {
  const found = await foundAmong(objects, files, '')
  const contents = await readable(() => recognize(found))
  if (contents.kind === 'sources') throw new AppError('invalid_input', undecided(contents.sources, files))
}

/** The three ways on, each as the `svc.json` for it. */
function undecided(sources: Sources, files: readonly TreeFile[]): string {
  const { install, build = 'make', start } = sources
  const built = {
    build: { ...(install && { install_command: install }), build_command: build, output_directory: 'dist' },
  }
  const made =
    start === undefined ? `${JSON.stringify(built)} to build it` : `${JSON.stringify({ start })} to start it`
  const page = files.find(({ path }) => path.endsWith(`/${firstPage}`))?.path
  const directory = page?.slice(0, -firstPage.length - 1) ?? 'public'
  return (
    `${describeSources(sources)} Nothing of it is published until svc.json says what is: ` +
    `${made}, ${JSON.stringify({ directory })} for a folder of it, ` +
    'or {"build": {}} for the files as they are.'
  )
}
