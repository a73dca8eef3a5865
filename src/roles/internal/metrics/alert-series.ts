/** Series of the alerts of a node, and of what they watch. */
import { alertNames } from '../../../platform/observability/alerts/alert.ts'
import type { NodeAlerts } from '../../../platform/observability/alerts/node-alerts.ts'
import type { Series } from './series.ts'

type Deps = { alerts: Pick<NodeAlerts, 'look'>; nowMs: () => number }

export function alertSeries({ alerts, nowMs }: Deps): Series[] {
  return [
    {
      name: 'svc_alerts',
      help:
        'The alerts of this node, as /readyz has them: the places of each. ' +
        `alert: ${alertNames.join(', ')}.`,
      type: 'gauge',
      labels: ['alert'],
      async read() {
        const { alerts: found } = await alerts.look()
        return alertNames.map((alert) => ({
          labels: { alert },
          value: found.filter(({ name }) => name === alert).length,
        }))
      },
    },
    {
      name: 'svc_certificate_expires_seconds',
      help:
        'How long the served certificate that expires first is still valid; negative once it has expired, ' +
        'absent without any. origin: file, in the settings; uploaded, by a team; acme.',
      type: 'gauge',
      labels: ['origin'],
      async read() {
        const { certificates } = await alerts.look()
        const origins = [...new Set(certificates.map(({ origin }) => origin))]
        return origins.map((origin) => {
          const ends = certificates.filter((each) => each.origin === origin).map((each) => each.notAfterMs)
          return { labels: { origin }, value: (Math.min(...ends) - nowMs()) / 1_000 }
        })
      },
    },
    {
      name: 'svc_backup_age_seconds',
      help: 'The age of the last good backup by schedule; absent before the first, and without a schedule.',
      type: 'gauge',
      labels: [],
      async read() {
        const last = (await alerts.look()).backup?.last
        return last ? [{ labels: {}, value: (nowMs() - last.finished_ms) / 1_000 }] : []
      },
    },
    {
      name: 'svc_backup_bytes',
      help: 'Its bytes: the dump, and the files of sites that it refers to.',
      type: 'gauge',
      labels: [],
      async read() {
        const last = (await alerts.look()).backup?.last
        return last ? [{ labels: {}, value: last.bytes }] : []
      },
    },
    {
      name: 'svc_data_free_ratio',
      help: 'Free share of the file system of SVC_DATA_DIR, from 0 to 1, without what is kept for root.',
      type: 'gauge',
      labels: [],
      async read() {
        const { disk } = await alerts.look()
        return disk ? [{ labels: {}, value: disk.free_percent / 100 }] : []
      },
    },
  ]
}
