/** The state of a domain in words, with the next step. */
import type { Outputs } from '@/lib/api'
import type { Tone } from '@/ui/badge'

export type Domain = Outputs['domains']['get']

export type DomainState = {
  tone: Tone
  /** For a badge. */
  word: string
  /** A sentence. */
  title: string
  /** The next step; undefined where nothing is left to do. */
  next: string | undefined
}

/** The state of a domain in words, with the next step of its owner. */
export function stateOf(domain: Domain): DomainState {
  if (!domain.verified) return unverified(domain)
  if (domain.error?.reason === 'proof_lost') {
    return {
      tone: 'bad',
      word: 'Proof missing',
      title: 'The record that proves this domain is yours has disappeared.',
      next: 'Restore the TXT record below, then check again.',
    }
  }
  if (!hasDestination(domain)) {
    return {
      tone: 'neutral',
      word: 'No destination',
      title: 'The domain is yours, and shows nothing yet.',
      next: 'Choose the project that it serves, or a host to redirect to.',
    }
  }
  if (!domain.configured) {
    return {
      tone: 'warn',
      word: 'Not pointed here',
      title: 'The domain is yours, but does not lead here yet.',
      next: 'Add the records that point it here at your DNS provider, or delegate it.',
    }
  }
  return {
    ...(domain.tls.state === 'failed'
      ? ({ tone: 'warn', word: 'No certificate' } as const)
      : ({ tone: 'good', word: 'Active' } as const)),
    title: domain.redirect
      ? `Visitors are redirected to ${domain.redirect.to}.`
      : `The domain serves the production deployment of ${domain.project}.`,
    next: undefined,
  }
}

function unverified({ error }: Domain): DomainState {
  const isTaken = error?.reason === 'verified_by_another_team'
  return {
    tone: 'warn',
    word: 'Not verified',
    title: isTaken
      ? 'Another team has verified this domain.'
      : 'Not yet proven that this domain is yours; it is not served until then.',
    next: isTaken
      ? 'That team has to delete the domain, or remove its record.'
      : 'Add the TXT record below at your DNS provider, then check.',
  }
}

/** Whether there is something that visitors get. */
function hasDestination({ project, redirect }: Pick<Domain, 'project' | 'redirect'>): boolean {
  return project !== null || redirect !== null
}
