/** Starts the role `worker`: recurring tasks, deliveries, and builds. */
import { trashLimitsOf } from '../../platform/deployments/caps.ts'
import { smtpRouteOf } from '../../platform/mail/open-mail.ts'
import type { WorkObserver } from '../../platform/observability/observers.ts'
import type { SiteUrls } from '../../platform/projects/host-label.ts'
import { createSender } from '../../platform/webhooks/delivery/attempt.ts'
import { startDeliveries } from '../../platform/webhooks/delivery/delivery-loop.ts'
import { createMailer } from '../../platform/webhooks/mails/send-mails.ts'
import { startLoop } from '../../roles/worker/loop.ts'
import { workerTasks } from '../../roles/worker/tasks.ts'
import { startBuilds } from './builds.ts'
import { certificateTask } from './certificates.ts'
import type { NodeContext } from './context.ts'
import { startForges } from './forges.ts'
import type { NodeSandbox } from './sandbox.ts'

type Deps = Pick<
  NodeContext,
  | 'settings'
  | 'installation'
  | 'outboxes'
  | 'resolver'
  | 'routing'
  | 'forges'
  | 'forgeFetchFor'
  | 'sandboxUids'
  | 'gitKeepers'
  | 'gitProcesses'
  | 'log'
  | 'nowMs'
  | 'removal'
  | 'stopping'
> &
  SiteUrls & { sandbox: NodeSandbox; observe: WorkObserver; apiUrl: () => string | undefined }

export type Worker = { close(): Promise<void> }

/** Begins to work; `close` resolves when what was under way has ended or is left to others. */
export async function startWorker(deps: Deps): Promise<Worker> {
  const { settings, installation, log, nowMs, observe, apiUrl } = deps
  const { store, blobs, keys } = installation
  const tasks = workerTasks({
    ...deps,
    store,
    blobs,
    outbox: deps.outboxes?.invitations,
    logDays: settings.SVC_LOG_DAYS,
    requestLogDays: settings.SVC_REQUEST_LOG_DAYS,
    runtimeLogDays: settings.SVC_RUNTIME_LOG_DAYS,
    metricsDays: settings.SVC_METRICS_DAYS,
    trash: trashLimitsOf(settings),
    strayLeft: observe.strayLeft,
  })
  const stopTasks = startLoop(
    settings.SVC_ACME ? [...tasks, await certificateTask(deps)] : tasks,
    log,
    observe.taskFailed,
  )
  const sender = createSender({
    allowPrivate: settings.SVC_WEBHOOKS_ALLOW_PRIVATE,
    resolvers: settings.SVC_RESOLVERS,
  })
  const mailer = createMailer({ store, route: smtpRouteOf(settings), apiUrl, nowMs })
  const stopDeliveries = startDeliveries({
    store,
    sender,
    mailer,
    apiUrl,
    key: keys.webhooks,
    log,
    nowMs,
    observe: observe.delivered,
  })
  const stopBoth = () => Promise.all([stopTasks(), stopDeliveries()])
  const builds = await startBuilds(deps).catch(async (error: unknown) => {
    await stopBoth()
    throw error
  })
  const stopForges = startForges({ ...deps, buildProblem: deps.sandbox.buildProblem })
  return {
    async close() {
      await Promise.all([stopBoth(), stopForges(), builds.close()])
    },
  }
}
