/** All alerts of a node, for whoever shows them. */
import type { Logger } from '../../../lib/log/logger.ts'
import type { RemovalClock } from '../../../stores/clock/removal.ts'
import type { DiskReserve } from '../../../stores/data-dir/disk-reserve.ts'
import type { Alert } from './alert.ts'
import type { BackupState, BackupWatch } from './backups.ts'
import type { Served } from './certificate-alerts.ts'
import type { CertificateWatch } from './certificates.ts'
import { lookAtClocks } from './clock.ts'
import { type Disk, type DiskSpace, lookAtDisk } from './disk.ts'
import { createAlertLog } from './log-alerts.ts'

type NodeState = {
  alerts: Alert[]
  /** Undefined where the disk can't be looked at. */
  disk: DiskSpace | undefined
  /** The served certificates that expire first, of each origin. */
  certificates: Served[]
  /** Undefined without a schedule of backups. */
  backup: BackupState | undefined
}

export type NodeAlerts = {
  /** The state now; of what needs the database as of the last `refresh`. Never rejects. */
  look(): Promise<NodeState>
  /** Reads anew, and logs what has changed. Rejects while the database is away, after logging the rest. */
  refresh(): Promise<void>
}

type Deps = {
  dataDirectory: string
  disk: Pick<DiskReserve, 'isFull'>
  removal: Pick<RemovalClock, 'jumpMs'>
  certificates: CertificateWatch
  /** Undefined where none are made by schedule. */
  backups: BackupWatch | undefined
  /** The clock of the installation: the database's, where nodes share one. */
  clockMs: () => number
  log: Logger
}

const diskMaxAgeMs = 1_000

/** Without certificates before the first `refresh`. */
export function createNodeAlerts({
  dataDirectory,
  disk,
  removal,
  certificates,
  backups,
  clockMs,
  log,
}: Deps): NodeAlerts {
  const logAlerts = createAlertLog(log)
  let looked: { disk: Promise<Disk>; atMs: number } | undefined

  function lookAtDiskIfOld(): Promise<Disk> {
    if (!looked || performance.now() - looked.atMs >= diskMaxAgeMs)
      looked = { disk: lookAtDisk(dataDirectory, disk), atMs: performance.now() }
    return looked.disk
  }

  async function look(): Promise<NodeState> {
    const { space, alerts } = await lookAtDiskIfOld()
    const clocks = lookAtClocks({ removal, clockMs, ownMs: Date.now })
    return {
      alerts: [...alerts, ...certificates.alerts(), ...clocks, ...(backups?.alerts() ?? [])],
      disk: space,
      certificates: certificates.first(),
      backup: backups?.state(),
    }
  }

  return {
    look,
    async refresh() {
      try {
        await Promise.all([certificates.refresh(), backups?.refresh()])
      } finally {
        logAlerts((await look()).alerts, performance.now())
      }
    },
  }
}
