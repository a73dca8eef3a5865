/** When certificates that are served count as expired, or as soon to expire. */
import { type Alert, ofATeam } from './alert.ts'
import { daysOf, spanText } from './time-span.ts'

const dayMs = 24 * 60 * 60_000

/** In a file of the operator's, uploaded by a team, or obtained from an authority. */
type CertificateOrigin = 'file' | 'uploaded' | 'acme'

/** A certificate that is served. */
export type Served = {
  origin: CertificateOrigin
  /** Its file, or its name. */
  place: string
  notBeforeMs: number
  notAfterMs: number
  /** The setting that names the file. */
  setting?: string
  /** Why its last renewal failed. */
  error?: string | null
  isOfTeam?: boolean
}

/**
 * The part of its lifetime that a certificate has left when it should have been replaced. One that is
 * obtained is renewed after two thirds, and an order that fails is repeated within a day at the latest.
 */
export const soonPart = 1 / 6

/** For those that people replace, this long before at most. */
export const soonMs = 21 * dayMs

/** Whether it has expired, or should have been replaced by now. */
export function isDue({ origin, notBeforeMs, notAfterMs }: Served, nowMs: number): boolean {
  const partMs = (notAfterMs - notBeforeMs) * soonPart
  return nowMs >= notAfterMs - (origin === 'acme' ? partMs : Math.min(partMs, soonMs))
}

/** The alert for a certificate that is due. */
export function dueAlert(served: Served, nowMs: number): Alert {
  const leftMs = served.notAfterMs - nowMs
  const isOver = leftMs <= 0
  const when = isOver ? `expired ${spanText(-leftMs)} ago, and is refused` : `expires in ${spanText(leftMs)}`
  return {
    name: isOver ? 'certificate_expired' : 'certificate_expires',
    place: served.place,
    figure: daysOf(leftMs),
    unit: 'days_left',
    isOfMachine: served.origin === 'file',
    message: `${nameOf(served)} ${when}. ${remedyOf(served)}`,
    ...(served.isOfTeam && { publicPlace: ofATeam }),
  }
}

function nameOf({ origin, place, setting }: Served): string {
  switch (origin) {
    case 'file':
      return `The certificate in ${place} (${setting})`
    case 'uploaded':
      return `The certificate that was uploaded for ${place}`
    case 'acme':
      return `The certificate of ${place}, which should have been renewed,`
  }
}

function remedyOf({ origin, setting, error }: Served): string {
  switch (origin) {
    case 'file':
      return `Replace the files of ${setting} and its key: they are read again by themselves.`
    case 'uploaded':
      return 'Have its team upload the next one (svc domains cert).'
    case 'acme':
      return error
        ? `The last order failed: ${error}`
        : 'Look for orders in the log of a node with the role worker.'
  }
}
