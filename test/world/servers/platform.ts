/** The platform, and applications on it, as their authors begin and deploy them. */
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { newDataDirectory, type Program, startProgram } from '../../support/program.ts'

const execute = promisify(execFile)

/** No terminal, so that nothing asks; no word of use to anybody. */
const quiet = { CI: '1', ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }

export type Application = {
  name: string
  /** A package of npm that makes the project, and its arguments; otherwise `npm init` does. */
  create?: string[]
  /** Packages of npm that it depends on, with their ranges: `express@5`; the others are for development. */
  packages?: string[]
  devPackages?: string[]
  files: Record<string, string | Buffer>
  /** The fields of its `package.json` that aren't written otherwise. */
  manifest?: object
  /** Variables of its project, each as `NAME=value`. */
  variables?: string[]
  /** Options of `svc projects set`. */
  settings?: string[]
}

export type Platform = {
  program: Program
  /** The settings with which its program was started. */
  settings: Record<string, string>
  /** Runs the command, and resolves to what it prints. */
  svc(args: string[], cwd?: string): Promise<string>
  /** Deploys the application from its sources; resolves to its address, and the record of the deployment. */
  deploy(application: Application): Promise<{ url: string; made: unknown }>
}

/** The number of a user without rights. */
export const nobody = 65_534

/** Whether the platform may run as another user than the tests. */
export const mayChooseUser = process.getuid?.() === 0

type Start = {
  /** One that has ended, whose data this one goes on with. */
  before?: Platform
  /** The number of the user as which it runs; by default that of the tests. */
  uid?: number | undefined
  /** More settings of the platform. */
  more?: Record<string, string>
}

/** Starts the platform with that major version of Node.js for builds and servers. */
export async function startPlatform(
  version: string,
  { before, uid, more = {} }: Start = {},
): Promise<Platform> {
  const home = await newDataDirectory()
  const own = process.versions.node.split('.')[0] === version
  const settings = before?.settings ?? {
    SVC_DATA_DIR: join(home, 'data'),
    SVC_NODE: own ? process.execPath : await fetchNode(version),
    SVC_BUILD_NETWORK: 'registries',
    // A mirror of the registry may have a private address, and an authority of its own.
    SVC_RESOLVE_PRIVATE: '1',
    ...more,
  }
  if (uid !== undefined)
    for (const directory of [inject('directory'), inject('dataDirectories'), home])
      await chmod(directory, 0o711)
  const started = await startProgram(settings, { uid })
  const program = { ...started, key: started.key ?? before?.program.key }

  async function svc(args: string[], cwd = home): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: home, SVC_URL: program.apiUrl, SVC_TOKEN: program.key }
    const { stdout } = await execute(process.execPath, [resolve('dist/svc.cjs'), ...args], { env, cwd })
    return stdout
  }

  return {
    program,
    settings,
    svc,
    async deploy(application) {
      const { name, variables = [], settings: wanted } = application
      const folder = await begin(application)
      await svc(['projects', 'add', name])
      for (const variable of [...registry, ...variables])
        await svc(['env', 'set', variable, '--project', name])
      if (wanted) await svc(['projects', 'set', name, ...wanted])
      const made = JSON.parse(await svc(['deploy', '--project', name, '--prod', '--json'], folder))
      return { url: program.siteUrl(name), made }
    },
  }
}

const authority = process.env.NODE_EXTRA_CA_CERTS

/** What builds need to reach the registry. */
const registry =
  authority === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${authority}`, `SSL_CERT_FILE=${authority}`]

/** A Node.js of another version, from the registry. */
async function fetchNode(version: string): Promise<string> {
  const prefix = await mkdtemp(join(inject('directory'), 'node-'))
  await chmod(prefix, 0o711)
  const name = `node-linux-${process.arch}@${version}`
  await execute('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', prefix, name])
  return join(prefix, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
}

/** The folder of an application as its author leaves it. */
async function begin({ name, create, files, ...more }: Application): Promise<string> {
  const room = await mkdtemp(join(inject('directory'), 'application-'))
  const folder = join(room, name)
  const env = { ...process.env, ...quiet }
  await mkdir(folder)
  if (create) await execute('npm', ['exec', '--yes', '--', ...create], { cwd: folder, env })
  else await execute('npm', ['init', '-y'], { cwd: folder, env })
  const path = join(folder, 'package.json')
  const written = JSON.parse(await readFile(path, 'utf8'))
  const dependencies = { ...written.dependencies, ...rangesOf(more.packages) }
  const devDependencies = { ...written.devDependencies, ...rangesOf(more.devPackages) }
  const fields = { name: `${name}-application`, ...more.manifest, dependencies, devDependencies }
  await writeFile(path, JSON.stringify({ ...written, ...fields }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

/** As `package.json` has them. */
function rangesOf(packages: string[] = []): Record<string, string> {
  return Object.fromEntries(
    packages.map((each) => {
      const at = each.lastIndexOf('@')
      return [each.slice(0, at), each.slice(at + 1)]
    }),
  )
}
