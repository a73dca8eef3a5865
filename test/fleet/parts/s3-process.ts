/** The strict S3 service of the tests as a process of its own, which fails as its parent says. */
import { z } from 'zod'
import { startS3 } from '../../support/s3/server.ts'

/** How it fails from now on. */
export const s3FaultSchema = z.enum(['none', 'status 500', 'hang'])
export type S3Fault = z.infer<typeof s3FaultSchema>

const server = await startS3()
const { endpoint, region, bucket, credentials } = server.address
process.send?.({ endpoint: endpoint.origin, region, bucket, ...credentials })

process.on('message', (message) => {
  const fault = s3FaultSchema.parse(message)
  server.fail(() => {
    if (fault === 'none') return undefined
    return fault === 'hang' ? { hang: true } : { status: 500 }
  })
  process.send?.('done')
})
process.on('disconnect', () => process.exit())
