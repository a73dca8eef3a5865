/** Sends notices to the operator, where the settings say to whom. */
import { hostname } from 'node:os'
import { SettingsError } from '../../lib/settings/error.ts'
import { smtpRouteOf } from '../../platform/mail/open-mail.ts'
import { createNotify, type Notify } from '../../platform/observability/notices/notify.ts'
import { createNoticeWay } from '../../platform/observability/notices/way.ts'
import { createSender } from '../../platform/webhooks/delivery/attempt.ts'
import { urlProblem } from '../../platform/webhooks/guard/url.ts'
import type { NodeContext } from './context.ts'
import { knownApiUrl } from './public-url.ts'

type Deps = Pick<NodeContext, 'settings' | 'installation' | 'nowMs' | 'stopping' | 'log'>

/**
 * Undefined where no notices are sent.
 * @throws SettingsError for an address that webhooks may not go to.
 */
export function openNotices({
  settings,
  installation,
  nowMs,
  stopping,
  log,
}: Deps): { notify: Notify; close(): Promise<void> } | undefined {
  const {
    SVC_OPERATOR_NOTICE: target,
    SVC_OPERATOR_NOTICE_SECRET: secret,
    SVC_WEBHOOKS_ALLOW_PRIVATE: allowPrivate,
    SVC_RESOLVERS: resolvers,
  } = settings
  if (!target) return undefined
  const problem = target.kind === 'webhook' ? urlProblem(target.url, allowPrivate) : undefined
  if (problem)
    throw new SettingsError(
      `SVC_OPERATOR_NOTICE ${problem}. SVC_WEBHOOKS_ALLOW_PRIVATE=1 allows private addresses and http.`,
    )
  const sender = createSender({ allowPrivate, resolvers })
  const send = createNoticeWay({ target, secret, sender, route: smtpRouteOf(settings), stopping })
  const notify = createNotify({
    db: installation.store.db,
    send,
    // Two nodes on one machine have alerts of their own.
    machine: `${hostname()}:${settings.SVC_DATA_DIR}`,
    apiUrl: () => knownApiUrl(settings),
    nowMs,
    log,
  })
  return { notify, close: sender.close }
}
