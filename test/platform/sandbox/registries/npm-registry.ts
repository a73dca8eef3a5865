/** An npm registry over HTTPS, on this machine, with one package. */
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

export type NpmRegistry = {
  port: number
  ca: string
  /** The digest of the package, as lock files have it. */
  integrity: string
  /** How often the package was downloaded. */
  downloads(): number
  close(): void
}

/** Its package `greeting` exports the word `hello`. */
export async function startNpmRegistry(): Promise<NpmRegistry> {
  const files = selfSignedFiles(join(inject('directory'), randomUUID().slice(0, 8)))
  await keepSelfSigned(files, [registryName], Date.now())
  const [cert, key] = await Promise.all([readFile(files.certFile, 'utf8'), readFile(files.keyFile, 'utf8')])
  const manifest = { name: 'greeting', version: '1.0.0', main: 'index.js' }
  const tarball = gzipSync(
    await packTar([
      tarEntry('package/package.json', JSON.stringify(manifest)),
      tarEntry('package/index.js', "module.exports = 'hello'\n"),
    ]),
  )
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  let downloads = 0
  const server = createServer({ cert, key }, ({ url, headers }, response) => {
    if (url === '/greeting-1.0.0.tgz') {
      downloads += 1
      return response.end(tarball)
    }
    if (url !== '/greeting') return response.writeHead(404).end('{}')
    const dist = { tarball: `https://${headers.host}/greeting-1.0.0.tgz`, integrity }
    const versions = { '1.0.0': { ...manifest, dist } }
    const document = { name: 'greeting', 'dist-tags': { latest: '1.0.0' }, versions }
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
    integrity,
    downloads: () => downloads,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function tarEntry(name: string, body: string) {
  return { header: { name, size: Buffer.byteLength(body) }, body }
}
