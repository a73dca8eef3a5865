/** Looks for secrets in logs: for those that are known, and for whatever has the shape of one. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export type Leak = { kind: string; file: string; line: string }

type Secret = { kind: string; text: string }

/** Shorter ones could stand in a line for another reason. */
export const minSecretLength = 12

/** What is a secret wherever it stands, known or not. */
const shapes: [kind: string, pattern: RegExp][] = [
  ['the shape of an API key', /svc_[0-9A-Za-z]{38}(?![0-9A-Za-z])/g],
  ['the shape of a webhook secret', /whsec_[A-Za-z0-9+/]{43}=/g],
  ['the shape of a JWT', /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/g],
  ['the shape of an upload signature', /signature=[\w-]{43}/g],
  ['the shape of a password in an address', /\w+:\/\/[^\s:/@"]*:[^\s/@"…]+@/g],
]

type Find = (text: string, file: string) => Leak[]

/** What finds the leaks in a log: of these secrets, and of whatever has the shape of one. */
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
      const shown = found.reduce((rest, secret) => rest.replaceAll(secret.text, `‹${secret.kind}›`), line)
      const kinds = [...new Set(found.map(({ kind }) => kind))]
      return { kind: kinds.join(', '), file, line: shown.slice(0, maxShown) }
    })
}

/** As much of a line as tells where it comes from. */
const maxShown = 1_000

/** How many of its last characters a secret is found by. */
const tailLength = 4

/** As it is, and as it stands in an address or in JSON. */
function spellings(secret: string): string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])]
}

function findShaped(line: string): Secret[] {
  return shapes.flatMap(([kind, pattern]) => (line.match(pattern) ?? []).map((text) => ({ kind, text })))
}

const secretSchema = z.object({ kind: z.string(), text: z.string() })

/** Every leak in what was kept in the directory of a run, and how much that was. */
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

/** For people: what leaked where, without the secret. */
export function describeLeaks(leaks: Leak[]): string {
  const shown = leaks.slice(0, 20).map(({ kind, file, line }) => `${kind}, in ${file}: ${line}`)
  return `${leaks.length} lines of logs hold a secret:\n${shown.join('\n')}`
}

/** Where logs and secrets are in the directory of a run. */
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
