/** The installable package that a node serves: the command of its own version. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { unpackTar } from 'modern-tar'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { readPackages } from '../../../src/api/server/npm-packages.ts'
import { version } from '../../../src/lib/version.ts'
import { sharedNode, type TestNode } from '../../support/node.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const get = (path: string, init: RequestInit = {}) => fetch(new URL(path, node.apiUrl), init)

describe.each(readPackages())('$path', ({ name, path, sha256, bytes: { length } }) => {
  it('is a public archive, with the digest and size that are listed beside it', async () => {
    const response = await get(path)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect({
      status: response.status,
      type: response.headers.get('content-type'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    }).toEqual({ status: 200, type: 'application/gzip', sha256, size: length })
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await get(path, { method: 'HEAD' })
    expect(headers.get('etag')).toBe(`"${sha256}"`)
    const again = await get(path, { headers: { 'if-none-match': `"${sha256}"` } })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('is a package of this version, without dependencies', async () => {
    const bytes = gunzipSync(Buffer.from(await (await get(path)).arrayBuffer()))
    const files = await unpackTar(bytes, { strict: true })
    expect(files.filter(({ header }) => !header.name.startsWith('package/'))).toEqual([])
    const manifest = files.find(({ header }) => header.name === 'package/package.json')?.data
    const { dependencies, peerDependencies, ...rest } = JSON.parse(new TextDecoder().decode(manifest))
    expect(rest).toMatchObject({ name, version, license: 'MIT' })
    expect({ dependencies, peerDependencies }).toEqual({})
    expect(files.map(({ header }) => header.mtime)).toEqual(files.map(() => new Date(0)))
  })
})

it('is reproducible byte for byte from the same sources', async () => {
  const directory = await mkdtemp(join(inject('directory'), 'archives-'))
  for (const name of ['package.json', 'LICENSE', 'client', 'dist']) {
    const skipsPrograms = (path: string) => !path.includes('node-program') && !path.endsWith('.tgz')
    await cp(name, join(directory, name), { recursive: true, filter: skipsPrograms })
  }
  await promisify(execFile)(process.execPath, [resolve('build/archives.mjs')], { cwd: directory })
  for (const { path } of readPackages()) {
    const made = await readFile(join(directory, 'dist', path))
    expect(made.equals(await readFile(join('dist', path)))).toBe(true)
  }
})
