/**
 * Installations for tests of backups: nodes on stores of their own, which `svc` finds by the same settings.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createEmptyDatabase } from '../../support/databases.ts'
import { startTestNode, type TestNode } from '../../support/node.ts'
import type { S3Server } from '../../support/s3/server.ts'

/** Settings of an installation that is empty still: its database, data directory and, with `s3`, bucket. */
export type Surroundings = { env: Record<string, string>; drop(): Promise<void> }

/** On PostgreSQL in its project, else on the embedded database, unless `engine` says which. */
export async function newSurroundings({
  s3,
  engine = process.env.TEST_ON ? 'postgres' : 'pglite',
}: {
  s3?: Pick<S3Server, 'address'>
  engine?: 'postgres' | 'pglite'
} = {}): Promise<Surroundings> {
  const database = engine === 'postgres' ? await createEmptyDatabase(process.env.TEST_ON ?? '') : undefined
  const name = randomUUID().slice(0, 8)
  return {
    env: {
      SVC_DATA_DIR: join(inject('directory'), name),
      ...(database && { DATABASE_URL: database.url, SVC_ENCRYPTION_KEY: sharedKey }),
      ...(s3 && { ...accessTo(s3), SVC_BLOBS: `s3://blobs/${name}` }),
    },
    drop: async () => database?.drop(),
  }
}

/** What `svc` and nodes need to reach the service. */
export function accessTo({
  address: { endpoint, region, credentials },
}: Pick<S3Server, 'address'>): Record<string, string> {
  return {
    SVC_S3_ENDPOINT: endpoint.origin,
    SVC_S3_REGION: region,
    SVC_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    SVC_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}

/** An installation without a key of its own makes one in its data directory. */
const sharedKey = Buffer.alloc(32, 9).toString('base64')

/** A node on them, without a worker unless `roles` has it. */
export function startOn({ env }: Surroundings, roles = 'api,edge'): Promise<TestNode> {
  const own = { DATABASE_URL: '', SVC_ENCRYPTION_KEY: '', SVC_ROLES: roles }
  return startTestNode({ ...own, ...env })
}
