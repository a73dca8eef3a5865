/** The one list of alerts: what is wrong with a node or its installation, where, and what to do. */

/** Every alert by its name, with its word in `degraded` of `/readyz`. */
const parts = {
  certificate_expired: 'certificate',
  certificate_expires: 'certificate',
  certificate_missing: 'certificate',
  disk_low: 'disk_low',
  disk_full: 'disk',
  clock_jumped: 'clock',
  clock_off: 'clock_off',
} as const

export type AlertName = keyof typeof parts

export type AlertPart = (typeof parts)[AlertName]

/** `Object.keys` only forgets their type. */
export const alertNames = Object.keys(parts) as AlertName[]

export type Alert = {
  name: AlertName
  /** A path, a host name, or the machine. */
  place: string
  /** In `unit`; null where there is nothing to measure. */
  figure: number | null
  unit: 'days_left' | 'free_percent' | 'free_bytes' | 'days_ahead' | 'seconds_off' | null
  /** A sentence that says what is wrong, and one that says what to do. */
  message: string
  /** Whether it is of this machine alone, and not of the installation. */
  isOfMachine: boolean
  /** Whether the place is a team's, and no other team's business. */
  isOfTeam?: true
}

/** The word for it in `degraded`. */
export function partOf({ name }: Alert): AlertPart {
  return parts[name]
}

const lesser: Partial<Record<AlertName, AlertName>> = {
  certificate_expired: 'certificate_expires',
  disk_full: 'disk_low',
}

/** The name of the alert that this one is the worse form of: it is not over while this one is there. */
export function lesserOf({ name }: Alert): AlertName | undefined {
  return lesser[name]
}

/** Instead of the name of one. */
export const ofATeam = 'a domain of a team'

/** An alert in responses. */
export type ReportedAlert = Omit<Alert, 'isOfMachine'>

/** The alert in responses to operators. */
export function reportedAlert({ isOfMachine, ...alert }: Alert): ReportedAlert {
  return alert
}

/** The alert in responses to everybody: without the names of what is a team's. */
export function publicAlert({ isOfTeam, ...alert }: ReportedAlert): ReportedAlert {
  if (!isOfTeam) return alert
  return { ...alert, place: ofATeam, message: alert.message.replaceAll(alert.place, ofATeam) }
}
