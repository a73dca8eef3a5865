/** Tells a site from the sources of one, or of a server, by the files at their root. */
import { isRecord } from '../is-record.ts'
import {
  developmentAdvice,
  type FoundServer,
  findServer,
  type Package as ServerPackage,
} from './find-server.ts'
import { type Found, foundBelow, hasFile, inFolder, nameIn } from './found.ts'
import { parseManifest } from './manifest.ts'
import { outputDirectory } from './output-directory.ts'
import { managerOf, type PackageManager } from './package-manager.ts'
import { findPrebuilt } from './prebuilt.ts'
import { argumentsOf, type Scripts, scriptsOf, wholeScript } from './scripts.ts'
import { missingForServer, type ServerOutput } from './server-output.ts'
import { findSign, firstPage } from './signs.ts'
import { type Framework, frameworks } from './table.ts'

/** Sources, and the commands that make a site or a server of them, as far as they are known. */
export type Sources = {
  /** The framework, or library of a server; undefined where they are of nothing that is known. */
  framework: string | undefined
  /** The sign by which others were recognized, as the beginning of a sentence. */
  sign: string | undefined
  /** Installs the dependencies; undefined where there are none. */
  install: string | undefined
  /** Undefined where nothing says how they are built. */
  build: string | undefined
  /** Where the site is then, relative to the root; undefined where only the build knows. */
  output: string | undefined
  /** Whether a server comes of them, and not a static site. */
  isServer: boolean
  /** Starts their server; undefined where only the build knows. */
  start: string | undefined
  /** Whether a first page is beside them, as that of a site. */
  hasPage: boolean
  /** The change that any of this needs before it makes a static site, or a server. */
  advice: string | undefined
}

export type Contents = { kind: 'site' } | { kind: 'sources'; sources: Sources }

type Package = ServerPackage & { path: string; manager: PackageManager }

/**
 * Recognizes what the files in `folder` are, with the package manager of what is above them. Files with a
 * first page, and of no framework that is known, are a site.
 * @throws ManifestProblem for a manifest that can't be read, since then nobody knows.
 */
export async function recognize(all: Found, folder = ''): Promise<Contents> {
  const { found, own, framework } = await readSources(all, folder)
  const names = found.namesIn('')
  const prebuilt = await findPrebuilt(found, own, framework?.name)
  if (prebuilt) return { kind: 'sources', sources: sourcesOfOutput(prebuilt, own, names.has(firstPage)) }
  if (framework) return { kind: 'sources', sources: await sourcesOf(found, framework, own) }
  const server = await findServer(found, own)
  const hasPage = names.has(firstPage)
  if (server) return { kind: 'sources', sources: { ...sourcesOfServer(server, own, folder), hasPage } }
  const hasBuild = own?.scripts.has('build') && !hasPage
  const sign = hasBuild ? `${own?.path} has the script "build"` : isThere(findSign(found))
  if (sign === undefined) return { kind: 'site' }
  const sources: Sources = {
    framework: undefined,
    sign: `${sign}, and there is no ${firstPage}`,
    install: hasBuild ? own?.manager.install : undefined,
    build: hasBuild ? `${own?.manager.run} build` : undefined,
    output: undefined,
    isServer: false,
    start: undefined,
    hasPage,
    advice: undefined,
  }
  return { kind: 'sources', sources }
}

/** The files of a folder, its package, and the framework that is known. */
type Read = { found: Found; own: Package | undefined; framework: Framework | undefined }

/**
 * Reads the package in `folder`, and which framework it is of.
 * @throws ManifestProblem for a manifest that can't be read.
 */
export async function readSources(all: Found, folder: string): Promise<Read> {
  const found = foundBelow(all, folder)
  const path = nameIn(found.namesIn(''), isPackage)
  const own = path === undefined ? undefined : await readPackage(all, folder, path)
  return { found, own, framework: (own && frameworkOf(own)) ?? (await frameworkByFiles(found)) }
}

/** An output that isn't complete by itself needs the packages. */
function sourcesOfOutput(
  { framework, command, kept }: ServerOutput,
  own: Package | undefined,
  hasPage: boolean,
): Sources {
  return {
    framework,
    sign: undefined,
    install: kept === undefined ? own?.manager.install : undefined,
    build: undefined,
    output: undefined,
    isServer: true,
    start: command,
    hasPage,
    advice: undefined,
  }
}

/** A package without dependencies installs nothing, unless it belongs to others. */
function sourcesOfServer(
  server: FoundServer,
  own: Package | undefined,
  folder: string,
): Omit<Sources, 'hasPage'> {
  const { library, sign, command, development } = server
  const lists = own && [own.fields.dependencies, own.fields.devDependencies, own.fields.workspaces]
  const installs = folder !== '' || lists?.some((each) => Object.keys(Object(each)).length > 0)
  return {
    framework: library,
    sign,
    install: installs ? own?.manager.install : undefined,
    build: own?.scripts.has('build') ? `${own.manager.run} build` : undefined,
    output: undefined,
    isServer: true,
    start: command,
    advice: development === undefined ? undefined : developmentAdvice(server),
  }
}

/** In any case: some systems read it as the package's all the same. */
function isPackage(name: string): boolean {
  return name.length === packageFile.length && name.toLowerCase() === packageFile
}

const packageFile = 'package.json'

const isThere = (path: string | undefined) => path && `${path} is there`

async function readPackage(all: Found, folder: string, name: string): Promise<Package> {
  const path = inFolder(folder, name)
  const fields = parseManifest(path, await all.textOf(path))
  return { path, fields, scripts: scriptsOf(fields), manager: await managerOf(all, folder) }
}

/** The framework that the build script runs, else that the package depends on. */
function frameworkOf({ fields, scripts }: Package): Framework | undefined {
  const dependencies = [fields.dependencies, fields.devDependencies].flatMap((each) =>
    isRecord(each) ? Object.keys(each) : [],
  )
  const script = wholeScript(scripts, 'build') ?? ''
  const isOfPackage = ({ dependency }: Framework) => dependency !== undefined
  const isRun = (each: Framework) => isOfPackage(each) && argumentsOf(script, commandOf(each)) !== undefined
  const isUsed = ({ dependency = '' }: Framework) => dependencies.includes(dependency)
  const isMain = ({ isBeside }: Framework) => isBeside === undefined
  return (
    frameworks.find((each) => isMain(each) && isUsed(each) && isRun(each)) ??
    frameworks.find((each) => isUsed(each) && isRun(each)) ??
    frameworks.find((each) => isMain(each) && isUsed(each)) ??
    frameworks.find(isUsed) ??
    // Without its package, the command of several is that of the last one, upon which the others build.
    frameworks.findLast(isRun)
  )
}

async function frameworkByFiles(found: Found): Promise<Framework | undefined> {
  for (const framework of frameworks) {
    for (const { name, content } of framework.files ?? []) {
      if (!hasFile(found, name)) continue
      if (content === undefined || content.test(await found.textOf(name))) return framework
    }
  }
  return undefined
}

async function sourcesOf(found: Found, framework: Framework, own: Package | undefined): Promise<Sources> {
  const ofPackage = framework.dependency === undefined ? undefined : own
  const { script, args } = ofPackage ? scriptFor(framework, ofPackage.scripts) : noScript
  const manager = ofPackage?.manager
  const name = ofPackage?.fields.name
  const isServer = await buildsServer(found, framework)
  return {
    framework: framework.name,
    sign: undefined,
    install: manager?.install,
    build: !manager
      ? framework.build
      : script === undefined
        ? `${manager.exec} ${framework.build}`
        : `${manager.run} ${script}`,
    output: isServer
      ? undefined
      : await outputDirectory(found, framework, {
          args,
          usual: framework.output.replace('<name>', typeof name === 'string' ? name : '.'),
        }),
    isServer,
    start: undefined,
    hasPage: found.namesIn('').has(firstPage),
    advice: isServer ? await missingForServer(found, own, framework.name) : undefined,
  }
}

const noScript: { script: string | undefined; args: string[] } = { script: undefined, args: [] }

/** The script that builds the site, and the arguments of the framework's command in it. */
function scriptFor(framework: Framework, scripts: Scripts): typeof noScript {
  const command = commandOf(framework)
  const argsIn = (name: string) => argumentsOf(wholeScript(scripts, name) ?? '', command)
  const args = argsIn('build')
  if (args) return { script: 'build', args }
  if (scripts.has('build') && !framework.isBeside) return { script: 'build', args: [] }
  for (const script of scripts.keys()) {
    const found = /build|generate|export/.test(script) ? argsIn(script) : undefined
    if (found && !found.includes('--watch')) return { script, args: found }
  }
  return scripts.has('build') ? { script: 'build', args: [] } : noScript
}

/** The command without its own arguments: `expo export`. */
function commandOf({ build }: Framework): string {
  const [program = '', verb] = build.split(' ')
  return verb === undefined || verb.startsWith('-') ? program : `${program} ${verb}`
}

async function buildsServer(found: Found, { server }: Framework): Promise<boolean> {
  if (!server) return false
  for (const name of found.namesIn('')) {
    if (server.files.test(name) && server.content.test(await found.textOf(name)))
      return server.means === 'server'
  }
  return server.means === 'static'
}
