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
  backup_late: 'backup',
  backup_failed: 'backup',
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
  unit: 'days_left' | 'free_percent' | 'free_bytes' | 'days_ahead' | 'seconds_off' | 'hours_old' | null
  /** A sentence that says what is wrong, and one that says what to do. */
  message: string
  /** Whether it is of this machine alone, and not of the installation. */
  isOfMachine: boolean
  /** The words that everybody sees instead of the place, where that is not everybody's business. */
  publicPlace?: string
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
export type ReportedAlert = Omit<Alert, 'isOfMachine' | 'publicPlace'>

/** The alert in responses to operators. */
export function reportedAlert({ isOfMachine, publicPlace, ...alert }: Alert): ReportedAlert {
  return alert
}

/** The alert in responses to everybody: without places that are not everybody's business. */
export function publicAlert(alert: Alert): ReportedAlert {
  const { publicPlace = alert.place } = alert
  return {
    ...reportedAlert(alert),
    place: publicPlace,
    message: alert.message.replaceAll(alert.place, publicPlace),
  }
}
