/** Callers: those with access, those of another team, and those with anything in `Authorization`. */
import fc from 'fast-check'
import { latin1Text } from './hostile.ts'

export const known = ['owner', 'member', 'key', 'memberKey', 'session', 'stranger'] as const

/**
 * One with a known credential, other content for `Authorization`, or a mutation of the owner's credential.
 */
export type Who =
  | { as: (typeof known)[number] }
  | { sends: string | undefined }
  | { breaks: 'cut' | 'case' | 'tail' | 'none' }

const somebody = (as: (typeof known)[number]) => fc.constant<Who>({ as })

const odd = fc.oneof(
  fc.constantFrom(
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a b',
    'bearer svc_',
    'Bearer ..',
    'Bearer eyJhbGciOiJub25lIn0.e30.',
    'Digest x',
    `Bearer ${'a'.repeat(8_000)}`,
  ),
  latin1Text.map((text) => `Bearer ${text}`),
)

export const who: fc.Arbitrary<Who> = fc.oneof(
  { weight: 60, arbitrary: somebody('owner') },
  { weight: 8, arbitrary: somebody('member') },
  { weight: 8, arbitrary: somebody('key') },
  { weight: 3, arbitrary: somebody('memberKey') },
  { weight: 4, arbitrary: somebody('session') },
  { weight: 6, arbitrary: somebody('stranger') },
  { weight: 2, arbitrary: fc.constant<Who>({ sends: undefined }) },
  { weight: 2, arbitrary: odd.map((sends): Who => ({ sends })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Who[]>(
      { breaks: 'cut' },
      { breaks: 'case' },
      { breaks: 'tail' },
      { breaks: 'none' },
    ),
  },
)

/** The `Authorization` of a call, where `tokens` are the known callers'. */
export function authorizationOf(
  caller: Who,
  tokens: Record<(typeof known)[number], string>,
): string | undefined {
  if ('as' in caller) return `Bearer ${tokens[caller.as]}`
  if ('sends' in caller) return caller.sends
  const token = tokens.owner
  switch (caller.breaks) {
    case 'cut':
      return `Bearer ${token.slice(0, -1)}`
    case 'case':
      return `Bearer ${token.toUpperCase()}`
    case 'tail':
      return `Bearer ${token}a`
    case 'none': {
      const [, claims] = token.split('.')
      return `Bearer ${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${claims}.`
    }
  }
}
