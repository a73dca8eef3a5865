/** A node that serves HTTPS, too. */
import { readFile } from 'node:fs/promises'
import type { Timeouts } from '../../src/server/deps.ts'
import { selfSignedFiles } from '../../src/server/tls/self-signed.ts'
import { startTestNode, type TestNode } from './node.ts'
import { freePort } from './ports.ts'

/** Where bytes are sent: the address of the API, and what vouches for it where that is HTTPS. */
export type Door = { apiUrl: string; ca?: string }

export type TlsNode = TestNode & { secure: Required<Door> }

let shared: Promise<TlsNode> | undefined

/** The one that the tests of this process share; its `apiUrl` is that of plain HTTP, which all clients here can use. */
export function sharedTlsNode(): Promise<TlsNode> {
  shared ??= startTlsNode()
  return shared
}

/** One of its own, with a self-signed certificate unless the environment names another; stop it in the end. */
export async function startTlsNode(
  environment: Record<string, string> = {},
  timeouts?: Timeouts,
): Promise<TlsNode> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const certificate = environment.SVC_TLS_CERT ? undefined : { SVC_TLS_SELF_SIGNED: '1' }
  const node = await startTestNode(
    {
      SVC_PORT: port,
      SVC_TLS_PORT: tlsPort,
      SVC_URL: `http://localhost:${port}`,
      ...certificate,
      ...environment,
    },
    timeouts,
  )
  const certFile = environment.SVC_TLS_CERT ?? selfSignedFiles(node.settings.SVC_DATA_DIR).certFile
  const ca = await readFile(certFile, 'utf8')
  return { ...node, secure: { apiUrl: `https://localhost:${tlsPort}`, ca } }
}
