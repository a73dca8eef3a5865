/** The claims that a policy requires of identity tokens, from the options of `svc trust add`. */
import { InvalidArgumentError } from 'commander'
import { usageFailure } from '../command-failure.ts'

/** The issuers that every server knows, by the word for them. */
const issuers = new Map([
  ['github', 'https://token.actions.githubusercontent.com'],
  ['gitlab', 'https://gitlab.com'],
])

export type ClaimOptions = {
  issuer?: string
  repositoryId?: string
  projectId?: string
  ref?: string
  environment?: string
  claim: Record<string, string>
}

/**
 * The issuer by the word for it, or by its address.
 * @throws Failure (2) where neither is there, or both.
 */
export function issuerOf(word: string | undefined, { issuer }: ClaimOptions): string {
  const known = word === undefined ? undefined : issuers.get(word)
  const choices = `${[...issuers.keys()].join(', ')}, or --issuer <address>`
  if (word !== undefined && known === undefined) throw usageFailure(`${word} is no known issuer: ${choices}.`)
  if (known !== undefined && issuer !== undefined) throw usageFailure(`Pass either ${word} or --issuer.`)
  const found = known ?? issuer
  if (found === undefined) throw usageFailure(`Whose identity tokens? Pass ${choices}.`)
  return found
}

/** The claims, by their names in tokens. @throws Failure (2) for one that is given twice. */
export function claimsOf({ repositoryId, projectId, ref, environment, claim }: ClaimOptions) {
  const named = { repository_id: repositoryId, project_id: projectId, ref, environment }
  const given = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const twice = given.find(([name]) => Object.hasOwn(claim, name))
  if (twice) throw usageFailure(`The claim ${twice[0]} is given twice.`)
  return { ...Object.fromEntries(given), ...claim }
}

/** Adds one `--claim name=value` to those before it. */
export function addClaim(text: string, claims: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It should be name=value.')
  return { ...claims, [name]: value }
}
