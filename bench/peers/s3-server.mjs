/**
 * The S3 service of the tests in a process of its own: in memory, and strict. Writes its address as JSON.
 * Argument: a directory for its compiled form.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const source = fileURLToPath(new URL('../../test/support/s3/server.ts', import.meta.url))
const outfile = join(process.argv[2], 's3-server.cjs')

await build({ entryPoints: [source], bundle: true, platform: 'node', format: 'cjs', outfile })
const { startS3 } = createRequire(import.meta.url)(outfile)
const { address } = await startS3()
console.log(JSON.stringify(address))
