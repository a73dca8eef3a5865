/**
 * One order of a certificate, from the challenge to the chain; each step can be the last before a node dies.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { asSecret, type Secret } from '../../lib/secret.ts'
import { seal, unseal } from '../../stores/data-dir/seal.ts'
import type { Store } from '../../stores/db/store.ts'
import {
  type Account,
  type Authorization,
  beginValidation,
  type ChallengeType,
  createOrder,
  downloadChain,
  finalizeOrder,
  type Order,
  readAuthorization,
  readOrder,
} from './acme/orders.ts'
import { AcmeError, AcmeUnavailableError, parseProblem } from './acme/problem.ts'
import { CertificateError, validationFailed } from './certificate-failure.ts'
import { baseOf, namesOf } from './certificate-names.ts'
import { checkChain, type Validity } from './chain.ts'
import { type Challenge, hideChallenge, showChallenge } from './challenges.ts'
import { OrderLimitError } from './order-limits.ts'
import { type Pauses, readPauses } from './pause.ts'
import { advance, beginOrder, type Claim } from './queue.ts'
import { generateKey } from './x509/keys.ts'
import { renewalIdOf } from './x509/renewal-id.ts'
import { createSigningRequest } from './x509/signing-request.ts'

export type IssueDeps = {
  store: Store
  account: Account
  /** The URL of the authority's directory. */
  directoryUrl: string
  /** Seals keys. */
  key: Buffer
  /** Resolves once nodes show the challenge. @throws CertificateError where that can't be. */
  untilShown(challenge: Challenge): Promise<void>
  nowMs: () => number
  stopping: AbortSignal
}

export type Issued = { chain: string; keySealed: string; validity: Validity }

/** How long the authority may take to validate, and to issue, in milliseconds. */
const patienceMs = 90_000
const minPollMs = 250
const maxPollMs = 5_000

/** Where keys are sealed. */
const orderKeyPlace = (name: string) => `certificate order ${name}`
export const keyPlace = (name: string, source: string) => `certificate ${name} ${source}`

/** @throws CertificateError, AcmeError, AcmeUnavailableError, LostClaimError. */
export async function issueCertificate(deps: IssueDeps, claim: Claim, type: ChallengeType): Promise<Issued> {
  const { account } = deps
  let { order, orderKey } = await openOrder(deps, claim)
  const read = () => readOrder(account, order.url)
  if (order.status === 'pending') {
    for (const url of order.authorizations) await authorize(deps, claim, { url, type })
    order = await poll(deps, read, ({ status }) => status !== 'pending')
  }
  if (order.status === 'ready') {
    await finalizeOrder(account, order, createSigningRequest(namesOf(claim.name), orderKey))
    order = await poll(deps, read, isFinished)
  }
  if (order.status === 'processing') order = await poll(deps, read, isFinished)
  if (order.status !== 'valid' || order.certificate === undefined) throw refusalOf(order)
  const chain = await downloadChain(account, order.certificate)
  const keySealed = seal(deps.key, keyPlace(claim.name, 'acme'), orderKey)
  return { chain, keySealed, validity: check(chain, orderKey, claim.name) }
}

type OpenOrder = { order: Order; orderKey: Secret }

/** The one that another node began, where it can go on. */
async function openOrder(deps: IssueDeps, claim: Claim): Promise<OpenOrder> {
  const { store, account, key, nowMs } = deps
  const place = orderKeyPlace(claim.name)
  if (claim.orderUrl !== null && claim.orderKeySealed !== null) {
    const known = await readOrder(account, claim.orderUrl).catch(forgetUnlessUnavailable)
    if (known && known.status !== 'invalid') {
      return { order: known, orderKey: unseal(key, place, claim.orderKeySealed) }
    }
  }
  const orderKey = asSecret(await generateKey())
  const order = await replaceOrCreate(deps, claim)
  await advance(store.db, claim, { orderUrl: order.url, orderKeySealed: seal(key, place, orderKey) }, nowMs())
  return { order, orderKey }
}

/** @throws OrderLimitError where the order has to wait. */
async function replaceOrCreate(deps: IssueDeps, claim: Claim): Promise<Order> {
  const { account, store, nowMs } = deps
  const replaces = claim.chain === null ? undefined : renewalIdOf(claim.chain)
  const { renewalInfo } = await account.client.directory()
  const create = async (replaced: string | undefined) => {
    await passPause(deps, replaced === undefined ? 'firstMs' : 'renewalsMs')
    await beginOrder(store.db, claim, nowMs())
    return createOrder(account, namesOf(claim.name), replaced)
  }
  if (replaces === undefined || renewalInfo === undefined) return create(undefined)
  try {
    return await create(replaces)
  } catch (error) {
    // The certificate has been replaced already, or is none of this account's.
    const mayPass =
      error instanceof AcmeError &&
      ['alreadyReplaced', 'malformed', 'conflict', 'unauthorized'].includes(error.type)
    if (!mayPass) throw error
    return create(undefined)
  }
}

async function passPause({ store, directoryUrl, nowMs }: IssueDeps, kind: keyof Pauses): Promise<void> {
  const untilMs = (await readPauses(store.db, directoryUrl))[kind]
  if (untilMs > nowMs()) throw new OrderLimitError('the authority requires a pause', untilMs)
}

function forgetUnlessUnavailable(error: unknown): undefined {
  if (error instanceof AcmeUnavailableError || (error instanceof AcmeError && error.status >= 500))
    throw error
}

/** Has one name validated, unless it has been lately. */
async function authorize(
  deps: IssueDeps,
  claim: Claim,
  { url, type }: { url: string; type: ChallengeType },
): Promise<void> {
  const { account, store, nowMs } = deps
  const authorization = await readAuthorization(account, url)
  if (authorization.status === 'valid') return
  const offered = authorization.challenges.find((each) => each.type === type)
  if (authorization.status !== 'pending' || offered?.token === undefined) {
    throw failureOf(authorization, type)
  }
  const { token } = offered
  const challenge: Challenge = {
    name: baseOf(authorization.identifier.value),
    type,
    token,
    keyAuthorization: await account.client.keyAuthorization(token),
  }
  await showChallenge(store, challenge, nowMs())
  try {
    await deps.untilShown(challenge)
    await advance(store.db, claim, {}, nowMs())
    if (offered.status === 'pending') await beginValidation(account, offered.url)
    const ended = await poll(
      deps,
      () => readAuthorization(account, url),
      ({ status }) => status !== 'pending',
    )
    if (ended.status !== 'valid') throw failureOf(ended, type)
  } finally {
    await hideChallenge(store, challenge, nowMs()).catch(() => {})
  }
}

async function poll<T extends { retryAfterMs: number | undefined }>(
  { stopping }: IssueDeps,
  read: () => Promise<T>,
  isOver: (value: T) => boolean,
): Promise<T> {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const value = await read()
    if (isOver(value)) return value
    if (performance.now() > endMs) throw new AcmeUnavailableError('The order takes too long.')
    const waitMs = Math.min(Math.max(value.retryAfterMs ?? minPollMs * 2, minPollMs), maxPollMs)
    await sleep(waitMs, undefined, { signal: stopping })
  }
}

function isFinished({ status }: Order): boolean {
  return status !== 'processing' && status !== 'ready'
}

function check(chain: string, key: string, name: string): Validity {
  try {
    return checkChain(chain, key, namesOf(name))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AcmeError({ detail: `Its certificate ${why}.` }, 403)
  }
}

function refusalOf({ error, status }: Order): AcmeError {
  const problem = parseProblem(error)
  return new AcmeError({ detail: `The order is ${status}.`, ...problem }, 403)
}

function failureOf({ identifier, challenges, status }: Authorization, type: ChallengeType): CertificateError {
  const failed = challenges.find((each) => each.error !== undefined && each.error !== null)
  const { detail = `The authorization is ${status}.` } = parseProblem(failed?.error)
  return new CertificateError(validationFailed(identifier.value, failed?.type ?? type, detail))
}
