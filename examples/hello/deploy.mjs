// Deploys the site in ./site: names every file by its digest, uploads what the service doesn't have, prints
// the address. Usage: SVC_TOKEN=svc_… node deploy.mjs [address of the API] [project]
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const [apiUrl = 'http://localhost:3000', project = 'hello'] = process.argv.slice(2)
const site = fileURLToPath(new URL('site', import.meta.url))

const entries = await readdir(site, { recursive: true, withFileTypes: true })
const files = await Promise.all(
  entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const file = join(entry.parentPath, entry.name)
      const bytes = await readFile(file)
      const path = relative(site, file).split(sep).join('/').normalize('NFC')
      return { path, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, bytes }
    }),
)

async function createDeployment() {
  const response = await fetch(`${apiUrl}/v1/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.SVC_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      project,
      target: 'production',
      files: files.map(({ path, sha256, size }) => ({ path, sha256, size })),
    }),
  })
  return { ok: response.ok, answer: await response.json() }
}

let created = await createDeployment()
if (created.answer.reason === 'files_missing') {
  for (const { sha256, upload_url } of created.answer.missing) {
    const { bytes } = files.find((file) => file.sha256 === sha256)
    const response = await fetch(upload_url, { method: 'PUT', body: bytes })
    if (!response.ok) throw new Error(`The upload of a file failed: ${await response.text()}`)
  }
  created = await createDeployment()
}
if (!created.ok) throw new Error(created.answer.message)
console.log(`Live at ${created.answer.aliases[0] ?? created.answer.url}`)
