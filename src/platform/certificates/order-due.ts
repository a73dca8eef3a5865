/** Orders and renews the certificates that are due. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Logger } from '../../lib/log/logger.ts'
import type { Database } from '../../stores/db/database.ts'
import { domains } from '../../stores/db/schema/domains.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Transaction } from '../../stores/db/transaction.ts'
import { type NewEvent, recordEvents } from '../../stores/events/record-events.ts'
import {
  type ClaimSummary,
  certificateFailedEvent,
  certificateIssuedEvent,
  summaryColumns,
} from '../zones/claims/claim-event.ts'
import { type Authority, createSharedAccount, type SharedAccount } from './account.ts'
import type { Account, ChallengeType } from './acme/orders.ts'
import { AcmeError } from './acme/problem.ts'
import { type CertificateFailure, failureOf, notConfigured } from './certificate-failure.ts'
import { challengesFor, type Possible } from './certificate-names.ts'
import type { Challenge } from './challenges.ts'
import { type Issued, issueCertificate } from './order-certificate.ts'
import { OrderLimitError } from './order-limits.ts'
import { pauseAfter, readPauses } from './pause.ts'
import { type Claim, claimNext, LostClaimError, retryMs, settle, wantCertificates } from './queue.ts'
import { decideRenewal, firstLookMs } from './renewal.ts'

export type OrderDeps = {
  store: Store
  authority: Authority
  /** As of `createSharedAccount`. */
  caaFamily: string | undefined
  /** Seals keys. */
  key: Buffer
  possible: Possible
  untilShown(challenge: Challenge): Promise<void>
  nowMs: () => number
  stopping: AbortSignal
  log: Pick<Logger, 'info' | 'warn'>
  observe?: (outcome: 'issued' | CertificateFailure['reason']) => void
}

const maxUnderWay = 4

/**
 * Orders the due certificates. Resolves to false when none is left, or when the node stops: then there is
 * nothing more to do right away.
 * @throws the database's error, after running orders have ended.
 */
export async function orderDue(deps: OrderDeps): Promise<false> {
  const { store, authority, nowMs, stopping } = deps
  while (!stopping.aborted && (await wantCertificates(store.db, nowMs())));
  const shared = createSharedAccount(deps)
  const work = async () => {
    while (!stopping.aborted) {
      const { firstMs } = await readPauses(store.db, authority.directoryUrl)
      const claim = await claimNext(store.db, nowMs(), { isPaused: firstMs > nowMs() })
      if (!claim) return
      await order(deps, claim, shared)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: maxUnderWay }, work))
  await shared.close()
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed) throw failed.reason
  return false
}

async function order(deps: OrderDeps, claim: Claim, shared: SharedAccount): Promise<void> {
  const { store, stopping } = deps
  try {
    if (!(await isServed(store.db, claim))) return await release(store.db, claim)
    const account = await shared.open()
    try {
      await renewOrOrder(deps, account, claim)
    } catch (error) {
      if (!(await shared.forgetIfGone(account, error))) throw error
      await renewOrOrder(deps, await shared.open(), claim)
    }
  } catch (error) {
    if (stopping.aborted || error instanceof LostClaimError) return
    if (error instanceof OrderLimitError) return await defer(store.db, claim, error)
    await pause(deps, claim, error)
    const failure = failureOf(error)
    if (!failure) throw error
    const retryAfterMs = error instanceof AcmeError ? error.retryAfterMs : undefined
    await fail(deps, claim, { failure, retryAfterMs })
  }
}

async function renewOrOrder(deps: OrderDeps, account: Account, claim: Claim): Promise<void> {
  const { store, nowMs, log } = deps
  const { directoryUrl } = deps.authority
  const { chain, notBeforeMs, notAfterMs } = claim
  if (chain !== null && notBeforeMs !== null && notAfterMs !== null && claim.orderUrl === null) {
    const renewal = await decideRenewal(account.client, chain, { notBeforeMs, notAfterMs }, nowMs())
    if (!renewal.isDue) return settle(store.db, claim, { dueMs: renewal.lookMs })
  }
  const issued = await issueCertificate({ ...deps, account, directoryUrl }, claim, challengeOf(deps, claim))
  const dueMs = await firstLookMs(account.client, issued.validity, nowMs())
  await keep(store, claim, { ...issued, dueMs, nowMs: nowMs() })
  deps.observe?.('issued')
  log.info({ name: claim.name, not_after: new Date(issued.validity.notAfterMs) }, 'A certificate was issued.')
}

/** Leaves the order waiting for its turn, which is no failed attempt. */
async function defer(db: Database, claim: Claim, { untilMs, failure }: OrderLimitError): Promise<void> {
  const { reason, message } = failure
  await settle(db, claim, { dueMs: untilMs, errorReason: reason, errorMessage: message })
}

async function pause(
  { store, authority, nowMs, log }: OrderDeps,
  { name, chain }: Claim,
  error: unknown,
): Promise<void> {
  const refusal = { error, name, isRenewal: chain !== null }
  const untilMs = await pauseAfter(store.db, authority.directoryUrl, refusal, nowMs())
  if (untilMs === undefined) return
  log.warn({ until: new Date(untilMs) }, 'The certificate authority requires a pause of all orders.')
}

/** Another one at each attempt. */
function challengeOf({ possible }: OrderDeps, { name, attempts }: Claim): ChallengeType {
  const types = challengesFor(name, possible)
  return types[attempts % types.length] ?? 'http-01'
}

async function keep(
  store: Store,
  claim: Claim,
  { chain, keySealed, validity, dueMs, nowMs }: Issued & { dueMs: number; nowMs: number },
): Promise<void> {
  await store.transact(async (tx) => {
    await settle(tx, claim, {
      chain,
      keySealed,
      ...validity,
      dueMs,
      attempts: 0,
      errorReason: null,
      errorMessage: null,
      orderUrl: null,
      orderKeySealed: null,
    })
    tx.announce({ kind: 'certificate', id: claim.name })
    const { notAfterMs } = validity
    const facts = { notAfterMs, renewal: claim.chain !== null }
    await record(tx, { claim, nowMs }, (domain) => certificateIssuedEvent(domain, facts))
  })
}

async function fail(
  { store, possible, nowMs, log, observe }: OrderDeps,
  claim: Claim,
  { failure, retryAfterMs = 0 }: { failure: CertificateFailure; retryAfterMs: number | undefined },
): Promise<void> {
  const attempts = claim.attempts + 1
  const dueMs = Math.round(nowMs() + Math.max(retryMs(attempts, Math.random()), retryAfterMs))
  const { reason, message } = failure
  // The authority's finding helps more than that DNS, tried after the other ways, can't prove the name.
  const saysLess =
    reason === 'dns_not_delegated' &&
    claim.errorReason === 'validation_failed' &&
    challengesFor(claim.name, possible).length > 1
  log.warn({ name: claim.name, reason, attempts, problem: message }, 'A certificate could not be issued.')
  observe?.(reason)
  await store.transact(async (tx) => {
    await settle(tx, claim, {
      dueMs,
      attempts,
      ...(!saysLess && { errorReason: reason, errorMessage: message }),
      // A certificate that an authority issued before it was away can be had once it is back.
      ...(reason !== 'authority_unavailable' && { orderUrl: null, orderKeySealed: null }),
    })
    if (attempts > 1) return
    await record(tx, { claim, nowMs: nowMs() }, (domain) => certificateFailedEvent(domain, failure))
  })
}

/** Names of the platform are no team's. */
async function record(
  tx: Transaction,
  { claim, nowMs }: { claim: Claim; nowMs: number },
  eventOf: (domain: ClaimSummary) => NewEvent,
): Promise<void> {
  if (claim.domainId === null) return
  const [domain] = await tx.select(summaryColumns).from(domains).where(eq(domains.id, claim.domainId))
  if (!domain) return
  await recordEvents(tx, { origin: null, nowMs }, [eventOf(domain)])
}

/** A name of the platform always is. */
async function isServed(db: Database, { domainId }: Claim): Promise<boolean> {
  if (domainId === null) return true
  const [row] = await db
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.id, domainId), isNotNull(domains.verifiedMs), eq(domains.configured, true)))
  return row !== undefined
}

/** Gives the certificate up until the domain is verified and leads here. */
async function release(db: Database, claim: Claim): Promise<void> {
  const { reason, message } = notConfigured(claim.name)
  await db.transaction(async (tx) => {
    await settle(tx, claim, { dueMs: null, errorReason: reason, errorMessage: message })
    if (claim.domainId === null) return
    await tx.update(domains).set({ certificateWanted: false }).where(eq(domains.id, claim.domainId))
  })
}
