/** Watches what an operator should know of a node, as its settings say. */
import { createBackupWatch } from '../../platform/observability/alerts/backups.ts'
import { createCertificateFiles } from '../../platform/observability/alerts/certificate-files.ts'
import { createCertificateWatch } from '../../platform/observability/alerts/certificates.ts'
import { createNodeAlerts, type NodeAlerts } from '../../platform/observability/alerts/node-alerts.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import { scheduleOf } from './backups.ts'
import type { NodeContext } from './context.ts'
import { openNotices } from './notices.ts'
import { uncoveredNames } from './platform-names.ts'

const everyMs = 5_000

type Deps = Pick<
  NodeContext,
  'settings' | 'installation' | 'removal' | 'nowMs' | 'stopping' | 'log' | 'observers'
>

/**
 * Looks for the first time, and logs what it finds, before it resolves; then every five seconds, and sends
 * notices of it.
 * @throws SettingsError where notices can't be sent as the settings say.
 */
export async function startAlerts(context: Deps): Promise<NodeAlerts & { close(): Promise<void> }> {
  const { settings, installation, removal, nowMs, log, observers } = context
  const notices = openNotices(context)
  const certificates = createCertificateWatch({
    db: installation.store.db,
    files: createCertificateFiles(settings),
    uncovered: (files) => uncoveredNames(settings, files),
    nowMs,
  })
  const schedule = scheduleOf(settings)
  const alerts = createNodeAlerts({
    dataDirectory: settings.SVC_DATA_DIR,
    disk: installation.disk,
    removal,
    certificates,
    backups: schedule && createBackupWatch(schedule, { db: installation.store.db, nowMs }),
    clockMs: installation.nowMs,
    log,
  })
  await alerts
    .refresh()
    .catch((error: unknown) => log.warn({ err: error }, 'Alerts could not be looked for.'))

  let isCurrent = false

  async function look(): Promise<boolean> {
    isCurrent = false
    await alerts.refresh()
    isCurrent = true
    return false
  }

  /** Only of what is known: an alert that could not be looked for isn't over. */
  async function notify(): Promise<boolean> {
    if (isCurrent) await notices?.notify((await alerts.look()).alerts)
    return false
  }

  const tasks = [
    { name: 'look for alerts', everyMs, run: look },
    ...(notices ? [{ name: 'notify the operator', everyMs, run: notify }] : []),
  ]
  const stop = startLoop(tasks, log, observers.observe.work.taskFailed)
  return {
    ...alerts,
    async close() {
      await stop()
      await notices?.close()
    },
  }
}
