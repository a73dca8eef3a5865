/** The server that the build of a framework left: its command, its files, and what it needs besides. */

import { isRecord } from '../is-record.ts'
import type { Package } from './find-server.ts'
import { type Found, hasFile, inFolder } from './found.ts'

/** Paths are relative to the root directory of the project, unless another place is said. */
export type ServerOutput = {
  framework: string
  /** Runs in the root directory. */
  command: string
  /** The files and directories that it needs; undefined for all that the build left. */
  kept: string[] | undefined
  /** Directories of files with a hash in their names, and the path at which visitors find each. */
  assets: { from: string; at: string }[]
  /** A command after the build that completes the files. */
  completion: string | undefined
  /** Directories that it writes caches to. */
  caches: string[]
  /** Variables that it has unless the project sets others. */
  env: Record<string, string>
}

/** A server, or the sentence of what the sources lack to become one. */
export type FoundOutput = ServerOutput | { missing: string }

const nothing = { kept: undefined, completion: undefined, caches: [], env: {} }

/** Reads the output in a directory at the root; undefined without a server in it. */
type Reader = (found: Found, own: Package | undefined, folder: string) => Promise<FoundOutput | undefined>

/** The output in its usual directory; undefined without a server in it. */
export async function usualServerOutput(
  found: Found,
  own: Package | undefined,
  framework: string | undefined,
): Promise<FoundOutput | undefined> {
  for (const { read, usual } of outputsOf(framework)) {
    const output = await read(found, own, usual)
    if (output) return output
  }
  return undefined
}

/**
 * The output that a build left: where it is usual, else in a directory at the root that the build has made,
 * since configurations may name another one; undefined without a server in it. `sources` are the names at the
 * root before the build.
 */
export async function builtServerOutput(
  found: Found,
  own: Package | undefined,
  { framework, sources }: { framework: string | undefined; sources: ReadonlySet<string> },
): Promise<FoundOutput | undefined> {
  const usual = await usualServerOutput(found, own, framework)
  if (usual) return usual
  const made = [...found.namesIn('')].filter((name) => !sources.has(name) && name !== 'node_modules')
  const folders = made.filter(isPlain)
  for (const { read } of outputsOf(framework)) {
    for (const folder of folders) {
      const output = await read(found, own, folder)
      if (output) return output
    }
  }
  const missing = framework === undefined ? undefined : await missingForServer(found, own, framework)
  return missing === undefined ? undefined : { missing }
}

/** An output of the framework, whose usual directory that is. */
type Output = { read: Reader; usual: string }

const outputs: Partial<Record<string, Output>> = {
  'Next.js': { read: nextOutput, usual: '.next' },
  SvelteKit: { read: svelteOutput, usual: 'build' },
  Astro: { read: astroOutput, usual: 'dist' },
  'React Router': { read: reactRouterOutput, usual: 'build' },
}

/** The one that other frameworks build upon, too. */
const ofNitro: Output = { read: nitroOutput, usual: '.output' }

function outputsOf(framework: string | undefined): Output[] {
  const own = framework === undefined ? undefined : outputs[framework]
  return own ? [own, ofNitro] : [ofNitro]
}

async function nextOutput(
  found: Found,
  _own: Package | undefined,
  folder: string,
): Promise<FoundOutput | undefined> {
  const facts = await jsonIn(found, `${folder}/required-server-files.json`)
  const config = isRecord(facts?.config) ? facts.config : {}
  if (config.output !== 'standalone') return undefined
  // Of a package in a workspace, the files are below those of the whole.
  const below = typeof facts?.relativeAppDir === 'string' ? facts.relativeAppDir : ''
  const server = inFolder(`${folder}/standalone`, below)
  if (!isPlain(server) || !hasFile(found, `${server}/server.js`)) return undefined
  const copies = [
    ...(hasFile(found, 'public') ? [`cp -R public ${server}/`] : []),
    `cp -R ${folder}/static ${server}/${folder}/`,
    `mkdir -p ${server}/${folder}/cache`,
  ]
  const base = typeof config.basePath === 'string' ? config.basePath.replace(/^\//, '') : ''
  return {
    ...nothing,
    framework: 'Next.js',
    command: `node ${server}/server.js`,
    kept: [`${folder}/standalone`],
    assets: [{ from: `${folder}/static`, at: inFolder(base, '_next/static') }],
    completion: [
      ...copies,
      // Pages that it renews stay in memory: it would report each of them that it can't write.
      `sed -i 's/"isrFlushToDisk":true/"isrFlushToDisk":false/' ${server}/server.js`,
    ].join(' && '),
    caches: [`${server}/${folder}/cache`],
  }
}

/** A path that a shell takes as it is. */
function isPlain(path: string): boolean {
  return /^[\w./@+-]+$/.test(path) && !path.split('/').includes('..')
}

/** The largest body, in bytes; without it half a megabyte. */
const maxBodyBytes = 100 * 1024 * 1024

async function svelteOutput(
  found: Found,
  own: Package | undefined,
  folder: string,
): Promise<FoundOutput | undefined> {
  const names = found.namesIn(folder)
  if (!['index.js', 'handler.js', 'server'].every((name) => names.has(name))) return undefined
  return {
    ...nothing,
    framework: 'SvelteKit',
    command: `node ${folder}`,
    // Packages for development are bundled, others are not.
    kept: namesOf(own, 'dependencies').length === 0 ? [folder, 'package.json'] : undefined,
    assets: [{ from: `${folder}/client/_app/immutable`, at: '_app/immutable' }],
    env: {
      PROTOCOL_HEADER: 'x-forwarded-proto',
      HOST_HEADER: 'x-forwarded-host',
      ADDRESS_HEADER: 'x-forwarded-for',
      BODY_SIZE_LIMIT: `${maxBodyBytes}`,
    },
  }
}

/** The sentence of what sources of a framework lack to become a server; undefined where it is not known. */
export async function missingForServer(
  found: Found,
  own: Package | undefined,
  framework: string,
): Promise<string | undefined> {
  const used = namesOf(own, 'dependencies', 'devDependencies')
  if (framework !== 'SvelteKit' || !used.includes('@sveltejs/adapter-auto')) return undefined
  if (used.includes('@sveltejs/adapter-node')) return undefined
  const vite = [...found.namesIn('')].find((name) => /^vite\.config\.\w+$/.test(name))
  const isInVite = vite !== undefined && (await found.textOf(vite)).includes('adapter-auto')
  const adapter = `@sveltejs/adapter-node${usesSecondKit(own) ? '@5' : ''}`
  return (
    `SvelteKit makes a server with its adapter for Node: \`npm install -D ${adapter}\`, ` +
    `and import that in ${isInVite ? vite : 'svelte.config.js'} instead of @sveltejs/adapter-auto`
  )
}

/** Whether it has the version that the newest adapters don't take. */
function usesSecondKit(own: Package | undefined): boolean {
  const { devDependencies, dependencies } = own?.fields ?? {}
  const range = { ...Object(dependencies), ...Object(devDependencies) }['@sveltejs/kit']
  return typeof range === 'string' && /^\D?2\b/.test(range)
}

async function astroOutput(
  found: Found,
  _own: Package | undefined,
  folder: string,
): Promise<FoundOutput | undefined> {
  if (!hasFile(found, `${folder}/server/entry.mjs`)) return undefined
  return {
    ...nothing,
    framework: 'Astro',
    command: `node ${folder}/server/entry.mjs`,
    assets: [{ from: `${folder}/client/_astro`, at: '_astro' }],
    // The names in requests are checked before they come here. Without one that it trusts, it takes
    // each form for one of another site.
    completion:
      `grep -rl '"allowedDomains":\\[\\]' ${folder}/server | ` +
      `xargs -r sed -i 's/"allowedDomains":\\[\\]/"allowedDomains":[{}]/'`,
  }
}

/** The server of its own that renders the pages. */
const routerServe = '@react-router/serve'

async function reactRouterOutput(
  found: Found,
  own: Package | undefined,
  folder: string,
): Promise<FoundOutput | undefined> {
  if (!hasFile(found, `${folder}/server/index.js`) || !found.namesIn(folder).has('client')) return undefined
  if (!namesOf(own, 'dependencies').includes(routerServe)) {
    return {
      missing: `React Router needs a server for what it built: \`npm install ${routerServe}\`, or set start`,
    }
  }
  return {
    ...nothing,
    framework: 'React Router',
    command: `react-router-serve ${folder}/server/index.js`,
    assets: [{ from: `${folder}/client/assets`, at: 'assets' }],
  }
}

/** The packages that build with Nitro. */
const nitroPackages = ['nuxt', 'nitropack', 'nitro', '@tanstack/react-start', '@solidjs/start']

async function nitroOutput(
  found: Found,
  own: Package | undefined,
  folder: string,
): Promise<FoundOutput | undefined> {
  const used = namesOf(own, 'dependencies', 'devDependencies')
  if (!hasFile(found, `${folder}/server/index.mjs`)) return undefined
  const facts = await jsonIn(found, `${folder}/nitro.json`)
  if (!facts && !nitroPackages.some((name) => used.includes(name))) return undefined
  const { preset, framework } = facts ?? {}
  if (typeof preset === 'string' && /static|pages/.test(preset)) return undefined
  return {
    ...nothing,
    framework: used.includes('nuxt') || Object(framework).name === 'nuxt' ? 'Nuxt' : 'Nitro',
    command: `node ${folder}/server/index.mjs`,
    kept: [folder],
    assets: [{ from: `${folder}/public/_nuxt`, at: '_nuxt' }],
  }
}

async function jsonIn(found: Found, path: string): Promise<Record<string, unknown> | undefined> {
  if (!hasFile(found, path)) return undefined
  try {
    const value: unknown = JSON.parse(await found.textOf(path))
    return isRecord(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function namesOf(own: Package | undefined, ...lists: ('dependencies' | 'devDependencies')[]): string[] {
  return lists.flatMap((list) => Object.keys(Object(own?.fields[list])))
}
