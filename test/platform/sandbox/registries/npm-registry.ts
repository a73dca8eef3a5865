/** An npm registry over HTTPS, on this machine, with a few packages. */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { inject } from 'vitest'
import { keepSelfSigned, selfSignedFiles } from '../../../../src/lib/tls/self-signed.ts'

/** The name in its certificate, which no resolver knows. */
export const registryName = 'registry.example.test'

/** A package by its files, of which those named in `bin` are its programs. */
export type NpmPackage = {
  name: string
  version: string
  files: Record<string, string>
  bin?: Record<string, string>
}

export type NpmRegistry = {
  port: number
  ca: string
  /** The digest of the first package, as lock files have it. */
  integrity: string
  /** The archive of a package. */
  archiveOf(name: string): Buffer
  /** How often a package was downloaded. */
  downloads(): number
  close(): void
}

/** The package exports the word `hello`. */
const greeting: NpmPackage = {
  name: 'greeting',
  version: '1.0.0',
  files: { 'index.js': "module.exports = 'hello'\n" },
}

/** A registry of these packages. */
export async function startNpmRegistry(packages: NpmPackage[] = [greeting]): Promise<NpmRegistry> {
  const files = selfSignedFiles(join(inject('directory'), randomUUID().slice(0, 8)))
  await keepSelfSigned(files, [registryName], Date.now())
  const [cert, key] = await Promise.all([readFile(files.certFile, 'utf8'), readFile(files.keyFile, 'utf8')])
  const archives = new Map(
    await Promise.all(packages.map(async (each) => [each.name, await archive(each)] as const)),
  )
  const archiveOf = (name: string) => archives.get(name) ?? Buffer.alloc(0)
  let downloads = 0
  const server = createServer({ cert, key }, ({ url, headers }, response) => {
    const path = decodeURIComponent(url ?? '').slice(1)
    const found = packages.find((each) => path === each.name || path === archiveNameOf(each))
    if (!found) return response.writeHead(404).end('{}')
    if (path !== found.name) {
      downloads += 1
      return response.end(archiveOf(found.name))
    }
    const { name, version } = found
    const dist = {
      tarball: `https://${headers.host}/${archiveNameOf(found)}`,
      integrity: integrityOf(archiveOf(name)),
    }
    const versions = { [version]: { ...manifestOf(found), dist } }
    const document = { name, 'dist-tags': { latest: version }, versions }
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  })
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no port.')
  return {
    port: address.port,
    ca: cert,
    integrity: integrityOf(archiveOf(packages[0]?.name ?? '')),
    archiveOf,
    downloads: () => downloads,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const integrityOf = (archive: Buffer) => `sha512-${createHash('sha512').update(archive).digest('base64')}`

const archiveNameOf = ({ name, version }: NpmPackage) => `${name}-${version}.tgz`

const manifestOf = ({ name, version, bin }: NpmPackage) => ({ name, version, main: 'index.js', bin })

async function archive(made: NpmPackage): Promise<Buffer> {
  const files = { 'package.json': JSON.stringify(manifestOf(made)), ...made.files }
  return gzipSync(
    await packTar(Object.entries(files).map(([path, body]) => tarEntry(`package/${path}`, body))),
  )
}

function tarEntry(name: string, body: string) {
  return { header: { name, size: Buffer.byteLength(body) }, body }
}
