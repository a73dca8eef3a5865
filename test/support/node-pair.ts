/** Two nodes with all roles on one database and one bucket, as machines behind a proxy have them. */
import { rm } from 'node:fs/promises'
import { createEmptyDatabase } from './databases.ts'
import { freePort } from './ports.ts'
import { newDataDirectory, type Program, startProgram } from './program.ts'
import { type S3Server, startS3 } from './s3/server.ts'

/** The nodes have addresses of their own, and the same ports. */
export type NodePair = {
  addresses: readonly [string, string]
  ports: { api: string; edge: string; internal: string }
  nodes: readonly [Program, Program]
  /** The address of the database. */
  databaseUrl: string
  /** The bucket's service. */
  s3: S3Server
  /** The first owner key. */
  key: string
  close(): Promise<void>
}

const addresses = ['127.0.0.11', '127.0.0.12'] as const

/**
 * Starts them on a new database of `server`; they serve sites below `sitesHost` and trust the proxy at
 * 127.0.0.1.
 */
export async function startNodePair(server: string, sitesHost: string): Promise<NodePair> {
  const cleanUps: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  }
  try {
    const database = await createEmptyDatabase(server)
    cleanUps.push(() => database.drop())
    const s3 = await startS3()
    cleanUps.push(() => s3.close())
    const ports = { api: await freePort(), edge: await freePort(), internal: await freePort() }
    const { endpoint, region, credentials } = s3.address
    const start = async (address: string) => {
      const directory = await newDataDirectory()
      cleanUps.push(() => rm(directory, { recursive: true, force: true }))
      const node = await startProgram({
        DATABASE_URL: database.url,
        SVC_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
        SVC_BLOBS: 's3://blobs/sites',
        SVC_S3_ENDPOINT: endpoint.origin,
        SVC_S3_REGION: region,
        SVC_S3_ACCESS_KEY_ID: credentials.accessKeyId,
        SVC_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        SVC_DATA_DIR: directory,
        SVC_HOST: address,
        SVC_INTERNAL_HOST: address,
        SVC_PORT: ports.api,
        SVC_EDGE_PORT: ports.edge,
        SVC_INTERNAL_PORT: ports.internal,
        SVC_EDGE_URL: `http://${sitesHost}`,
        SVC_TRUSTED_PROXIES: '127.0.0.1',
      })
      cleanUps.push(() => node.end('SIGTERM'))
      return node
    }
    const first = await start(addresses[0])
    const nodes = [first, await start(addresses[1])] as const
    return { addresses, ports, nodes, databaseUrl: database.url, s3, key: first.key ?? '', close }
  } catch (error) {
    await close()
    throw error
  }
}
