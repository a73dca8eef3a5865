/** The limits of an API key's own, beside its role; a JWT that was minted with it has the same. */
import { AppError } from '../../../lib/errors.ts'
import type { KeyLimits, Principal } from '../principal.ts'

/** The limits of the key behind a caller; undefined without a key. */
export function keyLimitsOf(principal: Principal): KeyLimits | undefined {
  return principal.kind === 'key' || principal.kind === 'jwt' ? principal.keyLimits : undefined
}

/** Whether its time is over. */
export function hasEnded({ endsMs }: KeyLimits, nowMs: number): boolean {
  return endsMs !== null && endsMs <= nowMs
}

/** The id of the caller's key, if that sees only some projects: it stands for itself, not for its maker. */
export function scopedKeyOf(principal: Principal): string | undefined {
  const isOfKey = principal.kind === 'key' || principal.kind === 'jwt'
  return (isOfKey && principal.keyLimits?.isScoped && principal.keyId) || undefined
}

/** Whether the caller's key has any limit of its own. */
export function hasLimitedKey(principal: Principal): boolean {
  const limits = keyLimitsOf(principal)
  return limits !== undefined && (limits.endsMs !== null || limits.isScoped || limits.readOnly)
}

/** Passes callers whose key may change something. @throws AppError `scope` for a read-only one. */
export function requireWritable(principal: Principal): void {
  if (!keyLimitsOf(principal)?.readOnly) return
  throw new AppError(
    'scope',
    'This API key is read-only, and so is a JWT minted with it: it changes nothing. ' +
      'Use another key, or sign in.',
  )
}

/**
 * Passes callers whose key has no limits of its own, for what would outlive or exceed those: other keys, and
 * what the person may do elsewhere.
 * @throws AppError `scope`.
 */
export function requireUnlimitedKey(principal: Principal): void {
  if (hasLimitedKey(principal)) throw beyondLimitedKey()
}

/** The refusal of what takes a key without limits. */
export function beyondLimitedKey(): AppError {
  return new AppError(
    'scope',
    'A key that ends, is read-only or sees only some projects may not do this, nor a JWT minted with it: ' +
      'use a key without such limits, or sign in.',
  )
}
