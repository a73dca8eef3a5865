/**
 * Uploads the files of a directory to a bucket, as fast as the program's own client does. Writes how many
 * milliseconds that took. Arguments: the bucket's address as JSON, the directory, a prefix for the keys.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createS3Client } from '../../dist/stores/blobs/s3/client.js'

/** As many as the client has connections. */
const atOnce = 64

const [address, directory, prefix] = process.argv.slice(2)
const { endpoint, ...rest } = JSON.parse(address)
const client = createS3Client({ ...rest, endpoint: new URL(endpoint), prefix })

const startedMs = performance.now()
const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.bin')).values()
await Promise.all(Array.from({ length: atOnce }, putSome))
console.log(performance.now() - startedMs)
await client.close()

async function putSome() {
  for (const name of names) {
    const body = await readFile(join(directory, name))
    const response = await client.request({ method: 'PUT', key: name, body })
    await response.text()
  }
}
