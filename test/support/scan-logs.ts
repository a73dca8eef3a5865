/** Searches logs for secrets: for known ones, and for text with the shape of one. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export type Leak = { kind: string; file: string; line: string }

type Secret = { kind: string; text: string }

/** Shorter ones could occur in a line by chance. */
export const minSecretLength = 12

/** Shapes that are secrets wherever they occur, known or not. */
const shapes: [kind: string, pattern: RegExp][] = [
  ['the shape of an API key', /svc_[0-9A-Za-z]{38}(?![0-9A-Za-z])/g],
  ['the shape of a webhook secret', /whsec_[A-Za-z0-9+/]{43}=/g],
  ['the shape of a JWT', /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/g],
  ['the shape of an upload signature', /signature=[\w-]{43}/g],
  ['the shape of a password in an address', /\w+:\/\/[^\s:/@"]*:[^\s/@"…]+@/g],
]

type Find = (text: string, file: string) => Leak[]

/** Creates a search for leaks in a log: of these secrets, and of text with the shape of one. */
function createFind(secrets: Secret[]): Find {
  const byTail = new Map<string, Secret[]>()
  for (const { kind, text } of secrets) {
    for (const spelled of spellings(text)) {
      const tail = spelled.slice(-tailLength)
      byTail.set(tail, [...(byTail.get(tail) ?? []), { kind, text: spelled }])
    }
  }

  function findKnown(line: string): Secret[] {
    const found: Secret[] = []
    for (let end = minSecretLength; end <= line.length; end += 1) {
      for (const secret of byTail.get(line.slice(end - tailLength, end)) ?? []) {
        if (line.endsWith(secret.text, end)) found.push(secret)
      }
    }
    return found
  }

  return (text, file) =>
    text.split('\n').flatMap((line) => {
      const found = [...findKnown(line), ...findShaped(line)]
      if (found.length === 0) return []
      const censored = found.reduce((rest, secret) => rest.replaceAll(secret.text, `‹${secret.kind}›`), line)
      const kinds = [...new Set(found.map(({ kind }) => kind))]
      return { kind: kinds.join(', '), file, line: censored.slice(0, maxLineLength) }
    })
}

/** The start of a line, enough to recognize where it comes from. */
const maxLineLength = 1_000

/** The number of last characters by which a secret is found. */
const tailLength = 4

/** As it is, and as encoded in a URL or in JSON. */
function spellings(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]
}

function findShaped(line: string): Secret[] {
  return shapes.flatMap(([kind, pattern]) => (line.match(pattern) ?? []).map((text) => ({ kind, text })))
}

const secretSchema = z.object({ kind: z.string(), text: z.string() })

/** All leaks in the logs in a run's directory, and the amount that was searched. */
export async function scanLogs(
  directory: string,
): Promise<{ lines: number; secrets: number; leaks: Leak[] }> {
  const { logs, secrets } = keptIn(directory)
  const known = (await readAll(secrets)).flatMap(([, text]) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => secretSchema.parse(JSON.parse(line))),
  )
  const find = createFind(known)
  const texts = await readAll(logs)
  return {
    secrets: known.length,
    lines: texts.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0),
    leaks: texts.flatMap(([file, text]) => find(text, file)),
  }
}

/** A report for people: what leaked where, without the secret. */
export function describeLeaks(leaks: Leak[]): string {
  const lines = leaks.slice(0, 20).map(({ kind, file, line }) => `${kind}, in ${file}: ${line}`)
  return `${leaks.length} lines of logs hold a secret:\n${lines.join('\n')}`
}

/** The logs and secrets in a run's directory. */
export function keptIn(directory: string): { logs: string; secrets: string } {
  return { logs: join(directory, 'kept-logs'), secrets: join(directory, 'kept-secrets') }
}

async function readAll(directory: string): Promise<[name: string, text: string][]> {
  const names = await readdir(directory).catch(() => [])
  return Promise.all(
    names.map(
      async (name): Promise<[string, string]> => [name, await readFile(join(directory, name), 'utf8')],
    ),
  )
}
