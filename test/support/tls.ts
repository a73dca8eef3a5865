/** A node that also serves HTTPS. */
import { randomUUID } from 'node:crypto'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Timeouts } from '../../src/api/server/http/timeouts.ts'
import { keepSelfSigned, selfSignedFiles } from '../../src/lib/tls/self-signed.ts'
import { startTestNode, type TestNode } from './node.ts'
import { nodeOfFile } from './node-of-file.ts'
import { freePort } from './ports.ts'

/** Where requests are sent: the address of the API, and the certificate authority for HTTPS. */
export type Door = { apiUrl: string; ca?: string }

export type TlsNode = TestNode & { secure: Required<Door> }

/** The node that the tests of a file share; its `apiUrl` is plain HTTP, which all clients here can use. */
export const sharedTlsNode = nodeOfFile(() => startTlsNode({ SVC_ROLES: 'api,edge' }))

/** The directory with this process's certificate, whose creation takes longer than the start of a node. */
let made: Promise<string> | undefined

/** The settings of a node in a directory of its own, where the certificate is already. */
async function selfSigned(): Promise<Record<string, string>> {
  made ??= makeSelfSigned()
  const directory = join(inject('directory'), randomUUID().slice(0, 8))
  await cp(join(await made, 'tls'), join(directory, 'tls'), { recursive: true })
  return { SVC_DATA_DIR: directory, SVC_TLS_SELF_SIGNED: '1' }
}

async function makeSelfSigned(): Promise<string> {
  const directory = join(inject('directory'), `tls-${randomUUID().slice(0, 8)}`)
  await keepSelfSigned(selfSignedFiles(directory), ['localhost', '127.0.0.1', '::1'], Date.now())
  return directory
}

/**
 * A node of its own, with a self-signed certificate unless the environment names another; stop it in the end.
 */
export async function startTlsNode(
  environment: Record<string, string> = {},
  timeouts?: Timeouts,
): Promise<TlsNode> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const certificate = environment.SVC_TLS_CERT ? undefined : await selfSigned()
  const node = await startTestNode(
    {
      SVC_PORT: port,
      SVC_TLS_PORT: tlsPort,
      SVC_URL: `http://localhost:${port}`,
      ...certificate,
      ...environment,
    },
    timeouts && { timeouts },
  )
  const certFile = environment.SVC_TLS_CERT ?? selfSignedFiles(node.settings.SVC_DATA_DIR).certFile
  const ca = await readFile(certFile, 'utf8')
  return { ...node, secure: { apiUrl: `https://localhost:${tlsPort}`, ca } }
}
