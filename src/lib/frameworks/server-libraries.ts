/** Libraries that packages make a server with, and the file by which such a server starts. */
import { isRecord } from '../is-record.ts'
import { type Found, hasFile } from './found.ts'
import { pathBelow } from './path-below.ts'

/** A library that listens by itself, or `with` another package, if it names one. */
type Library = { name: string; dependency: string; with?: string }

/** The first one that fits names the server: what builds upon another stands before it. */
const libraries: Library[] = [
  { name: 'NestJS', dependency: '@nestjs/core' },
  { name: 'Hono', dependency: 'hono', with: '@hono/node-server' },
  { name: 'Fastify', dependency: 'fastify' },
  { name: 'Koa', dependency: 'koa' },
  { name: 'hapi', dependency: '@hapi/hapi' },
  { name: 'Restify', dependency: 'restify' },
  { name: 'Polka', dependency: 'polka' },
  { name: 'H3', dependency: 'h3' },
  { name: 'Apollo Server', dependency: '@apollo/server' },
  { name: 'GraphQL Yoga', dependency: 'graphql-yoga' },
  { name: 'Express', dependency: 'express' },
  { name: 'Socket.IO', dependency: 'socket.io' },
]

/** The library with which a package makes its server, by its dependencies but for those of developers. */
export function serverLibraryOf({ dependencies }: Record<string, unknown>): string | undefined {
  const has = (name: string) => isRecord(dependencies) && Object.hasOwn(dependencies, name)
  return libraries.find((each) => has(each.dependency) && (each.with === undefined || has(each.with)))?.name
}

const endings = ['.js', '.mjs', '.cjs']

/** As `npm init` and the documents of the libraries name it. */
const usual = ['server', 'index', 'app', 'main', 'src/server', 'src/index', 'src/app', 'src/main', 'bin/www']

/**
 * The file by which the server of a package starts: its `main`, else one with a usual name. Undefined where
 * none is there, unless a build may make the `main`.
 */
export function entryFile(
  found: Found,
  { main }: Record<string, unknown>,
  hasBuild: boolean,
): string | undefined {
  const own = typeof main === 'string' ? pathBelow(main) : undefined
  const given = own === undefined ? [] : [own, ...endings.map((ending) => own + ending)].filter(isScript)
  const there = [...given, ...usual.flatMap(withEndings)].find((path) => hasFile(found, path))
  return there ?? (hasBuild ? given[0] : undefined)
}

/** The file that npm starts where the package has no script `start` (npm's documentation, "npm start"). */
export const npmEntry = 'server.js'

function isScript(path: string): boolean {
  return endings.some((ending) => path.endsWith(ending))
}

function withEndings(path: string): string[] {
  return path === 'bin/www' ? [path] : endings.map((ending) => path + ending)
}
