/** A run fails if a log contains a secret: the search finds planted ones. */
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { newToken } from '../../src/platform/callers/token.ts'
import { newSecret } from '../../src/platform/webhooks/secret.ts'
import { keptIn, scanLogs } from '../support/scan-logs.ts'

const random = () => randomBytes(24).toString('base64url')

/** Searches one line as if a node had logged it, with these secrets known. */
async function scan(line: string, secrets: Record<string, string> = {}) {
  const directory = join(inject('directory'), random())
  const { logs, secrets: secretsDirectory } = keptIn(directory)
  for (const each of [logs, secretsDirectory]) await mkdir(each, { recursive: true })
  await writeFile(join(logs, 'log'), `{"msg":"a line"}\n${line}\n{"msg":"another"}\n`)
  const known = Object.entries(secrets).map(([kind, text]) => `${JSON.stringify({ kind, text })}\n`)
  await writeFile(join(secretsDirectory, 'secrets'), known.join(''))
  return scanLogs(directory)
}

describe('a secret that a test created', () => {
  it.each<[string, (secret: string) => string]>([
    ['as it is', (secret) => secret],
    ['in a URL', encodeURIComponent],
    ['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
    ['at the end of the line', (secret) => `${secret}`],
    ['between others', (secret) => `"xx${secret}yy"`],
  ])('is found %s, and reported by its kind without the secret', async (_, spell) => {
    const secret = `a "value" of ${random()}/+`
    const { leaks, lines } = await scan(`{"err":"It said ${spell(secret)}`, { 'an env value': secret })
    expect(leaks).toEqual([{ kind: 'an env value', file: 'log', line: expect.stringContaining('It said') }])
    expect(leaks[0]?.line).toContain('‹an env value›')
    expect(leaks[0]?.line).not.toContain(spell(secret))
    expect(lines).toBe(3)
  })
})

it.each([
  ['an API key', newToken()],
  ['a webhook secret', newSecret()],
  ['a JWT', `eyJ${random()}.eyJ${random()}.${random()}`],
  ['an upload signature', `signature=${randomBytes(32).toString('base64url')}`],
  ['a password in an address', 'postgres://svc:hunter2@db/svc'],
])('%s that is unknown is found by its shape', async (_, secret) => {
  const { leaks } = await scan(`{"url":"x?${secret}"}`)
  expect(leaks.length).toBe(1)
  expect(JSON.stringify(leaks)).not.toContain(secret)
})

it('text that is not secret is not found', async () => {
  const line = '{"path":"/v1/apikeys/key_01a201ce687970c54d093e388eaf6d61","channel":"svc_changes"}'
  expect((await scan(line, { 'an env value': random() })).leaks).toEqual([])
})
