/** The lists of the S3 service of the tests, as XML. */
import type { Bucket } from './server.ts'

/**
 * ListObjectsV2, with `prefix`, `delimiter`, `max-keys`, `start-after`, `continuation-token` and
 * `encoding-type`.
 */
export function listBucket({ objects }: Bucket, query: URLSearchParams): string {
  const [prefix, delimiter, after] = ['prefix', 'delimiter', 'continuation-token'].map(
    (name) => query.get(name) ?? '',
  )
  const max = Math.min(Number(query.get('max-keys') ?? 1_000), 1_000)
  const encode = (key: string) => (query.get('encoding-type') === 'url' ? encodeURIComponent(key) : key)
  const entries = new Map<string, string>()
  for (const [key, { bytes, etag, modifiedMs }] of [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!key.startsWith(prefix ?? '')) continue
    const end = delimiter ? key.indexOf(delimiter, prefix?.length) : -1
    const group = end < 0 ? undefined : key.slice(0, end + 1)
    const modified = new Date(modifiedMs).toISOString()
    entries.set(
      group ?? key,
      group === undefined
        ? `<Contents><Key>${encode(key)}</Key><LastModified>${modified}</LastModified>` +
            `<ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`
        : `<CommonPrefixes><Prefix>${encode(group)}</Prefix></CommonPrefixes>`,
    )
  }
  const last = after ? Buffer.from(after, 'base64url').toString() : (query.get('start-after') ?? '')
  const rest = [...entries].filter(([name]) => name > last)
  const page = rest.slice(0, max)
  const token = Buffer.from(page.at(-1)?.[0] ?? '').toString('base64url')
  const isTruncated = rest.length > page.length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>' +
      '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<IsTruncated>${isTruncated}</IsTruncated>`,
    ...page.map(([, text]) => text),
    isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : '',
    '</ListBucketResult>',
  ].join('')
}

/** ListMultipartUploads, in one page. */
export function listUploads({ uploads }: Bucket, query: URLSearchParams): string {
  const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''))
  const entries = found.map(([id, { key, initiatedMs }]) => {
    const initiated = new Date(initiatedMs).toISOString()
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`
  })
  const all = `<IsTruncated>false</IsTruncated>${entries.join('')}`
  return `<ListMultipartUploadsResult>${all}</ListMultipartUploadsResult>`
}
