/** Ceph's S3 service, a second judge of requests where it is installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Address } from '../../../src/stores/blobs/s3/client.ts'
import { createSigner, emptySha256 } from '../../../src/stores/blobs/s3/sign.ts'
import { until } from '../eventually.ts'
import { freePort } from '../ports.ts'

const programs = ['radosgw', 'radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'curl']

/** Whether Debian's packages radosgw, ceph-mon, ceph-osd and ceph-common are installed. */
export const hasRadosgw = programs.every((name) => existsSync(join('/usr/bin', name)))

export type Radosgw = {
  address: S3Address
  /** Ends the service, and not what it has stored. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts one with an empty bucket, which takes some 15 seconds. */
export async function startRadosgw(): Promise<Radosgw> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-rgw-'))
  const [port, ...monitors] = [await freePort(), await freePort(), await freePort()]
  const script = new URL('radosgw.sh', import.meta.url).pathname
  const child = spawn(script, [directory, port, ...monitors], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await exited
    await rm(directory, { recursive: true, force: true })
  }
  const ended = exited.then(([code]) => Promise.reject(new Error(`radosgw.sh ended with ${code}.`)))
  await Promise.race([once(child.stdout, 'data'), ended])
  ended.catch(() => {})
  const address: S3Address = {
    endpoint: new URL(`http://127.0.0.1:${port}`),
    region: 'default',
    bucket: 'blobs',
    prefix: '',
    isPathStyle: true,
    credentials: { accessKeyId: 'TESTKEY', secretAccessKey: 'a secret/with+signs' },
  }
  await createBucket(address)
  const becomes = async (signal: NodeJS.Signals, isListening: boolean) => {
    child.kill(signal)
    await until(async () => (await listens(address)) === isListening)
  }
  return {
    address,
    stop: () => becomes('SIGUSR1', false),
    start: () => becomes('SIGUSR2', true),
    close,
  }
}

function listens({ endpoint }: S3Address): Promise<boolean> {
  return fetch(endpoint).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )
}

async function createBucket({ endpoint, region, bucket, credentials }: S3Address): Promise<void> {
  const { sign } = createSigner(credentials, region)
  const unsigned = { method: 'PUT', host: endpoint.host, path: `/${bucket}`, query: {}, headers: {} }
  const headers = sign({ ...unsigned, bodySha256: emptySha256 }, Date.now())
  const sent = request(new URL(unsigned.path, endpoint), { method: 'PUT', headers })
  sent.end()
  const [response] = await once(sent, 'response')
  response.resume()
  if (response.statusCode !== 200) throw new Error(`The bucket could not be created: ${response.statusCode}.`)
}
