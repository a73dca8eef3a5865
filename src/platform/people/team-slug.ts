/** The slug of a personal team, from the user's address or name. */
import { randomBytes } from 'node:crypto'
import { isReservedLabel, isReservedPath } from '../../lib/names/reserved-labels.ts'

const maxLength = 30

/** The most of a text for a slug: decomposing takes time with the square of a character's marks. */
const maxRead = 8 * maxLength

/**
 * Slugs to try in turn until one is free: the part before the `@`, then the name, then the first of these
 * with a random suffix.
 */
export function* slugsFor({ email, name }: { email: string; name: string }): Generator<string> {
  const plain = [...new Set([slugOf(email.split('@', 1)[0] ?? ''), slugOf(name)])].filter(Boolean)
  yield* plain.filter((slug) => !isReservedLabel(slug) && !isReservedPath(slug))
  for (;;) yield `${plain[0] ?? 'team'}-${randomBytes(3).toString('hex')}`
}

/** ASCII letters and digits, without accents, with single hyphens between them; at most 30. */
function slugOf(text: string): string {
  return text
    .slice(0, maxRead)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-|-$/g, '')
}
