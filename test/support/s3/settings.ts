/** The settings of nodes on the S3 service of the tests. */
import type { S3Server } from './server.ts'

/** A node's settings for the bucket of `s3`, below the prefix. */
export function settingsOf(
  { address: { endpoint, region, bucket, credentials } }: Pick<S3Server, 'address'>,
  prefix: string,
) {
  return {
    SVC_BLOBS: `s3://${bucket}/${prefix}`,
    SVC_S3_ENDPOINT: endpoint.origin,
    SVC_S3_REGION: region,
    SVC_S3_ACCESS_KEY_ID: credentials.accessKeyId,
    SVC_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  }
}
