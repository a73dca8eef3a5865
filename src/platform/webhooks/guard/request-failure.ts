/** Why a request got no response. */
import { errors } from 'undici'
import { BlockedAddressError, UnresolvedError } from '../../../lib/net/vetted-lookup.ts'

/** A request that was broken off at its limit. */
export class TookTooLongError extends Error {}

const tookTooLong = 'The request timed out.'

/** Errors of TLS and its certificates, by their codes. */
const ofTls = /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO$)/

/** The failure as the team sees it: the reason, and nothing about this network. */
export function describeFailure(error: unknown): string {
  if (error instanceof BlockedAddressError) return 'The host has no public address.'
  if (error instanceof UnresolvedError) return 'The host has no address.'
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'The response is too long.'
  if (error instanceof errors.ConnectTimeoutError || error instanceof TookTooLongError) return tookTooLong
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (ofTls.test(code)) return `The certificate or TLS was refused (${code}).`
  if (code === 'ECONNREFUSED') return 'The connection was refused.'
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'The response is not HTTP.'
  return 'The connection failed.'
}
