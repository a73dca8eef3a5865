/** Watches what an operator should know of a node, as its settings say. */
import { createCertificateFiles } from '../../platform/observability/alerts/certificate-files.ts'
import { createCertificateWatch } from '../../platform/observability/alerts/certificates.ts'
import { createNodeAlerts, type NodeAlerts } from '../../platform/observability/alerts/node-alerts.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import type { NodeContext } from './context.ts'
import { uncoveredNames } from './platform-names.ts'

const everyMs = 5_000

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'removal' | 'nowMs' | 'log' | 'observers'>

/** Looks for the first time, and logs what it finds, before it resolves; then every five seconds. */
export async function startAlerts({
  settings,
  installation,
  removal,
  nowMs,
  log,
  observers,
}: Deps): Promise<NodeAlerts & { close(): Promise<void> }> {
  const certificates = createCertificateWatch({
    db: installation.store.db,
    files: createCertificateFiles(settings),
    uncovered: (files) => uncoveredNames(settings, files),
    nowMs,
  })
  const alerts = createNodeAlerts({
    dataDirectory: settings.SVC_DATA_DIR,
    disk: installation.disk,
    removal,
    certificates,
    clockMs: installation.nowMs,
    log,
  })
  await alerts
    .refresh()
    .catch((error: unknown) => log.warn({ err: error }, 'Alerts could not be looked for.'))
  const run = () => alerts.refresh().then(() => false)
  const task = { name: 'look for alerts', everyMs, firstAfterMs: everyMs, run }
  return { ...alerts, close: startLoop([task], log, observers.observe.work.taskFailed) }
}
