/** HAProxy with the file of deploy/. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { NodePair } from '../node-pair.ts'
import { freePort } from '../ports.ts'
import { apiHost, makeCertificate, type Started, spawnProxy } from './proxy.ts'

export const haproxyPath = '/usr/sbin/haproxy'

/** Starts it in front of both nodes. */
export async function startHaproxy({ addresses, ports }: NodePair, directory: string): Promise<Started> {
  const port = await freePort()
  const { key, certificate } = await makeCertificate(directory)
  const certificates = join(directory, 'certificates')
  await mkdir(certificates)
  const both = (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8'))
  await writeFile(join(certificates, 'svc.pem'), both)
  const child = spawnProxy(haproxyPath, ['-db', '-f', resolve('deploy/haproxy/haproxy.cfg')], {
    API_HOST: apiHost,
    CERTIFICATES: certificates,
    HTTP_BIND: `127.0.0.1:${await freePort()}`,
    HTTPS_BIND: `127.0.0.1:${port}`,
    METRICS_BIND: `127.0.0.1:${await freePort()}`,
    NODE_1: addresses[0],
    NODE_2: addresses[1],
    API_PORT: ports.api,
    EDGE_PORT: ports.edge,
    INTERNAL_PORT: ports.internal,
  })
  return { process: child, port: Number(port), ca: certificate }
}
