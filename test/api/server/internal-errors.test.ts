import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../../support/api.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

const inside = 'a value that only the database knows'

let node: TestNode
let team: TestTeam
let deployment: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
  const project = unique('site')
  await team.owner('PUT', `/v1/projects/${project}`)
  const files = [{ path: 'a', content: 'a' }]
  deployment = (await team.owner('POST', '/v1/deployments', { project, files })).body.id
  // A row that our code never writes: the response would violate the document.
  const meta = JSON.stringify({ [inside]: { [inside]: 1 } })
  await node.installation.store.db.execute(
    sql`update deployments set meta = ${meta}::jsonb where id = ${deployment}`,
  )
})

describe('500 internal_error, without internal details', () => {
  it.each<[string, () => Promise<Answer>]>([
    ['REST', () => team.owner('GET', `/v1/deployments/${deployment}`)],
    ['a list', () => team.owner('GET', '/v1/deployments')],
    ['RPC', () => team.owner('GET', `/trpc/deployments.get?input=${JSON.stringify({ deployment })}`)],
    [
      'an RPC batch',
      () => team.owner('GET', `/trpc/deployments.get?batch=1&input=${JSON.stringify({ 0: { deployment } })}`),
    ],
  ])('%s, and the log has the details for the operator', async (_surface, call) => {
    const { status, headers, body } = await call()
    const [answer] = [body].flat()
    const { httpStatus = status, ...refusal } = answer.error?.data ?? answer
    expect({ status, httpStatus }).toEqual({ status: 500, httpStatus: 500 })
    expect(refusal).toEqual({
      code: 'INTERNAL_SERVER_ERROR',
      reason: 'internal_error',
      message: 'Internal error. Give the operator the request_id.',
      request_id: headers.get('x-request-id'),
    })
    expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|\.ts|\/work|Output|Zod/)
    expect(JSON.stringify(body)).not.toContain(inside)

    const lines = node.logged.map((line) => JSON.parse(line))
    const line = lines.find(({ level, request_id }) => level === 50 && request_id === refusal.request_id)
    expect(line.err.stack).toContain('meta')
  })
})
