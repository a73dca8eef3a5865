/** Why a name has no certificate: the one list of reasons, and for each what to do. */
import { AcmeError, AcmeUnavailableError } from './acme/problem.ts'

export const certificateReasons = [
  'local_name',
  'not_configured',
  'validation_failed',
  'dns_not_delegated',
  'authority_refused',
  'authority_limits',
  'authority_unavailable',
] as const

export type CertificateFailure = { reason: (typeof certificateReasons)[number]; message: string }

/** An order that can't go on. */
export class CertificateError extends Error {
  readonly failure: CertificateFailure

  constructor(failure: CertificateFailure) {
    super(failure.message)
    this.name = 'CertificateError'
    this.failure = failure
  }
}

export function localName(name: string): CertificateFailure {
  return {
    reason: 'local_name',
    message:
      `No authority issues certificates for ${name}, which has no owner on the internet. ` +
      'Upload a certificate of your own.',
  }
}

export function notConfigured(name: string): CertificateFailure {
  const state = `${name} is not verified or does not lead here any more`
  return { reason: 'not_configured', message: `${state}. Its certificate is renewed once it does.` }
}

/** `detail` is what the authority saw. */
export function validationFailed(name: string, type: string, detail: string): CertificateFailure {
  return {
    reason: 'validation_failed',
    message:
      `The authority did not find what it looked for (${type}) at ${name}: ` +
      `${detail} Check that all addresses of ${name} lead here, also from the internet.`,
  }
}

/** `record`: the name that the platform's name server has to be asked for. */
export function dnsNotDelegated(record: string): CertificateFailure {
  return {
    reason: 'dns_not_delegated',
    message:
      `The resolvers do not find ${record}, which this platform's name server answers. ` +
      'Delegate the zone to it, and check SVC_DNS_PORT and SVC_NAMESERVERS.',
  }
}

/** The consequence of an order's error; undefined for an error of this program. */
export function failureOf(error: unknown): CertificateFailure | undefined {
  if (error instanceof CertificateError) return error.failure
  if (error instanceof AcmeUnavailableError) {
    return {
      reason: 'authority_unavailable',
      message: `The certificate authority is unavailable, and is tried again: ${error.message}`,
    }
  }
  if (!(error instanceof AcmeError)) return undefined
  if (error.type === 'rateLimited') {
    return {
      reason: 'authority_limits',
      message: `The certificate authority wants fewer orders for now: ${error.message}`,
    }
  }
  if (error.status >= 500) {
    return {
      reason: 'authority_unavailable',
      message: `The certificate authority has a failure, and is tried again: ${error.message}`,
    }
  }
  return {
    reason: 'authority_refused',
    message: `The certificate authority refuses: ${error.message}`,
  }
}
