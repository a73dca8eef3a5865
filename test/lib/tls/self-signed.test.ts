import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkCertificate, readCertificate } from '../../../src/lib/tls/certificate.ts'
import { keepSelfSigned, selfSignedFiles } from '../../../src/lib/tls/self-signed.ts'

const dayMs = 24 * 60 * 60 * 1000
const hosts = ['localhost', '127.0.0.1', '::1']

let directory: string
let files: { certFile: string; keyFile: string }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-tls-'))
  files = selfSignedFiles(directory)
})

afterEach(() => rm(directory, { recursive: true }))

async function keep(aheadMs = 0, names = hosts): Promise<X509Certificate> {
  await keepSelfSigned(files, names, Date.now() + aheadMs)
  checkCertificate(await readCertificate(files), files)
  return new X509Certificate(await readFile(files.certFile))
}

it('covers every host, by name or address', async () => {
  const certificate = await keep(0, [...hosts, 'svc.example.com'])
  for (const name of ['localhost', 'svc.example.com']) expect(certificate.checkHost(name)).toBeDefined()
  for (const address of ['127.0.0.1', '::1']) expect(certificate.checkIP(address)).toBeDefined()
  expect(certificate.checkHost('example.com')).toBeUndefined()
  expect(certificate.ca).toBe(false)
})

it('has a key that only its owner can read', async () => {
  await keep()
  expect((await stat(files.keyFile)).mode & 0o777).toBe(0o600)
})

it('is reused on the next start, for eleven months', async () => {
  const { fingerprint256 } = await keep()
  expect((await keep()).fingerprint256).toBe(fingerprint256)
  expect((await keep(334 * dayMs)).fingerprint256).toBe(fingerprint256)
})

it('is renewed a month before it expires', async () => {
  const first = await keep()
  const next = await keep(336 * dayMs)
  expect(next.fingerprint256).not.toBe(first.fingerprint256)
  expect(Date.parse(next.validTo)).toBeGreaterThan(Date.parse(first.validTo) + 300 * dayMs)
})

it('is renewed for another host', async () => {
  const first = await keep()
  const next = await keep(0, [...hosts, 'svc.example.com'])
  expect(next.fingerprint256).not.toBe(first.fingerprint256)
})

it.each(['certFile', 'keyFile'] as const)('is renewed when a start was interrupted: %s', async (file) => {
  await keep()
  await writeFile(files[file], '')
  await keep()
})
