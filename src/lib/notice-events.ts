/** The events of notices to people for which nobody chose others: builds, domains and their certificates. */
export const noticeEvents = [
  'deployment.ready',
  'deployment.error',
  'deployment.promoted',
  'domain.verified',
  'domain.unverified',
  'domain.certificate_failed',
] as const
