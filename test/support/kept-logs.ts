/**
 * Keeps all logs of nodes and programs in the run's directory, along with the secrets that tests create: at
 * the end of the run no secret may be found in any log.
 */
import { mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createLogger, type Logger } from '../../src/lib/log/logger.ts'
import { keptIn, minSecretLength } from './scan-logs.ts'

let files = 0

/** A file of its own, written synchronously, so that nothing is lost however this process ends. */
function openFile(where: 'logs' | 'secrets', name: string): (text: string) => void {
  const path = keptIn(inject('directory'))[where]
  mkdirSync(path, { recursive: true })
  files += 1
  const file = openSync(join(path, `${process.pid}-${files}-${name}`), 'a')
  return (text) => void writeSync(file, text)
}

/** Creates a log for one program or logger. */
export function keepLog(name: string): (text: string) => void {
  let write: ((text: string) => void) | undefined
  return (text) => {
    write ??= openFile('logs', name)
    write(text)
  }
}

/** A logger whose lines are added to `logged`, and kept. */
export function createTestLog(logged: string[]): Logger {
  const keep = keepLog('log')
  return createLogger({
    write(line) {
      logged.push(line)
      keep(line)
    },
  })
}

const minLetters = 4

const known = new Set<string>()
let writeSecret: ((text: string) => void) | undefined

/**
 * Records a secret of this kind, which no log may contain. Skips texts that are short or of one repeated
 * letter, which could occur by chance.
 */
export function knowSecret(kind: string, text: string | undefined): void {
  if (text === undefined || text.length < minSecretLength || known.has(text)) return
  if (new Set(text).size < minLetters) return
  known.add(text)
  writeSecret ??= openFile('secrets', 'secrets')
  writeSecret(`${JSON.stringify({ kind, text })}\n`)
}

const ofFields: Record<string, string> = {
  token: 'a token',
  secret: 'a webhook secret',
  bypass_secret: 'a bypass secret',
  password: 'a password',
}

/** Records the secrets in what a client sends or receives. */
export function knowSecretsIn(body: unknown): void {
  if (Array.isArray(body)) for (const each of body) knowSecretsIn(each)
  if (typeof body !== 'object' || body === null) return
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string') knowSecretsIn(value)
    else if (name === 'upload_url') knowSecret('the signature of an upload address', signatureOf(value))
    else if (ofFields[name] !== undefined) knowSecret(ofFields[name], value)
  }
  if ('env' in body && Array.isArray(body.env)) {
    for (const each of body.env) if (typeof each?.value === 'string') knowSecret('an env value', each.value)
  }
}

function signatureOf(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get('signature') ?? undefined) : undefined
}

const ofSettings = {
  SVC_JWT_SECRET: 'the JWT secret',
  SVC_JWT_SECRET_PREVIOUS: 'the JWT secret before',
  SVC_ENCRYPTION_KEY: 'the encryption key',
  SVC_OIDC_CLIENT_SECRET: 'the secret of the OpenID client',
  UPSTASH_REDIS_REST_TOKEN: 'the token of the Redis',
}

/** Records the secrets in a node's settings. */
export function knowSecretsOf(environment: Record<string, string | undefined>): void {
  for (const [name, kind] of Object.entries(ofSettings)) knowSecret(kind, environment[name])
  for (const url of [environment.DATABASE_URL, environment.REDIS_URL, environment.SVC_SMTP_URL]) {
    if (url && URL.canParse(url))
      knowSecret('the password of a store or a mail server', new URL(url).password)
  }
}
