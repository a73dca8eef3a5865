import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { beforeAll, expect, it } from 'vitest'
import { sharedNode, type TestNode } from '../support/node.ts'

const file = new URL('schema.ts', import.meta.url)
const banner = `// Made by openapi-typescript from /openapi.json. After a change of the API:
// WRITE_SCHEMA=1 npx vitest run --project pglite test/rest-client/schema.test.ts
`

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

it('the types of the REST client are those of the document that is served', async () => {
  const types = banner + astToString(await openapiTS(new URL('/openapi.json', node.apiUrl)))
  if (process.env.WRITE_SCHEMA) await writeFile(file, types)
  expect(await readFile(file, 'utf8')).toBe(types)
})
