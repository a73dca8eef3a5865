import { describe, expect, it } from 'vitest'
import { parseSettings } from '../../../../src/lib/settings/parse.ts'
import { limitedToOneProcess, partOf, processesOf } from '../../../../src/operate/node/processes/count.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const onPostgres = { DATABASE_URL: 'postgres://svc@db/svc', SVC_ENCRYPTION_KEY: key }
const settings = (environment: Record<string, string>) => parseSettings(environment)

describe('a node has', () => {
  it.each<[string, Record<string, string>, number]>([
    ['one process by default', onPostgres, 1],
    ['as many as are set', { ...onPostgres, SVC_PROCESSES: '3' }, 3],
    ['one for each core with auto', { ...onPostgres, SVC_PROCESSES: 'auto' }, 8],
    ['one with auto on the embedded database', { SVC_PROCESSES: 'auto' }, 1],
    ['more for its API alone', { ...onPostgres, SVC_PROCESSES: '3', SVC_ROLES: 'api' }, 3],
    ['more for its edge alone', { ...onPostgres, SVC_PROCESSES: '3', SVC_ROLES: 'edge,dns' }, 3],
    ['one without either', { ...onPostgres, SVC_PROCESSES: '3', SVC_ROLES: 'worker,dns' }, 1],
  ])('%s', (_, environment, processes) => {
    expect(processesOf(settings(environment), 8)).toBe(processes)
  })
})

it('auto on the embedded database is explained, and nothing else', () => {
  expect(limitedToOneProcess(settings({ SVC_PROCESSES: 'auto' }))).toMatch(
    /^SVC_PROCESSES=auto: .*DATABASE_URL/,
  )
  expect(limitedToOneProcess(settings({}))).toBeUndefined()
  expect(limitedToOneProcess(settings({ ...onPostgres, SVC_PROCESSES: 'auto' }))).toBeUndefined()
})

describe('of the settings of a node', () => {
  const mebibyte = 1024 * 1024
  const ofNode = settings({ ...onPostgres, SVC_DATABASE_CONNECTIONS: '12' })

  it('one process has all', () => {
    expect(partOf(ofNode, 1)).toBe(ofNode)
  })

  it.each([
    [2, 4, 32 * mebibyte],
    [3, 3, Math.floor((64 * mebibyte) / 3)],
    // Room for a transaction and a query beside it, and for the largest body.
    [16, 2, 10 * mebibyte],
  ])('each of %i has a part', (processes, connections, bodyBytes) => {
    expect(partOf(ofNode, processes)).toEqual({
      ...ofNode,
      SVC_DATABASE_CONNECTIONS: connections,
      SVC_BODY_BYTES: bodyBytes,
    })
  })
})
