/** Orders certificates, as the settings of a node say. */
import type { Settings } from '../../lib/settings/variables.ts'
import { readAuthority } from '../../lib/tls/authority.ts'
import type { Authority } from '../../platform/certificates/account.ts'
import { orderDue } from '../../platform/certificates/order-due.ts'
import { wantPlatformName } from '../../platform/certificates/queue.ts'
import { createUntilShown } from '../../platform/certificates/until-shown.ts'
import type { WorkObserver } from '../../platform/observability/observers.ts'
import { platformZoneOf } from '../../platform/zones/platform-zone.ts'
import type { Task } from '../../roles/worker/loop.ts'
import { whileBelieved } from '../../stores/clock/removal.ts'
import type { NodeContext } from './context.ts'
import { orderedNames } from './platform-names.ts'

type Deps = Pick<
  NodeContext,
  'settings' | 'installation' | 'routing' | 'log' | 'nowMs' | 'removal' | 'stopping'
> & {
  sitesUrl: string
  observe: Pick<WorkObserver, 'ordered'>
}

/** Somebody may be waiting for it. */
const everyMs = 1_000

/** The recurring task; names of the platform itself are wanted from now on. @throws SettingsError. */
export async function certificateTask(deps: Deps): Promise<Task> {
  const { settings, installation, routing, sitesUrl, observe, log, nowMs, removal, stopping } = deps
  const { store, keys } = installation
  const authority = await authorityOf(settings)
  for (const name of orderedNames(settings, sitesUrl)) await wantPlatformName(store.db, name, nowMs())
  const orders = {
    store,
    authority,
    key: keys.certificates,
    nowMs,
    log,
    stopping,
    observe: observe.ordered,
    caaFamily: platformZoneOf(sitesUrl, routing, settings.SVC_NAMESERVERS)?.registrable,
    possible: {
      hasTlsPort: settings.SVC_EDGE_TLS_PORT !== undefined,
      isInOwnZone: settings.SVC_NAMESERVERS.length > 0,
    },
    untilShown: createUntilShown({ servers: settings.SVC_RESOLVERS, stopping }),
  }
  return { name: 'order certificates', everyMs, run: whileBelieved(removal, () => orderDue(orders)) }
}

async function authorityOf(settings: Settings): Promise<Authority> {
  const { SVC_ACME_EAB_KID: kid, SVC_ACME_EAB_HMAC: hmac, SVC_ACME_CA: caFile } = settings
  return {
    directoryUrl: settings.SVC_ACME_DIRECTORY,
    email: settings.SVC_ACME_EMAIL,
    ca: caFile === undefined ? undefined : await readAuthority('SVC_ACME_CA', caFile),
    binding:
      kid === undefined || hmac === undefined ? undefined : { kid, hmacKey: Buffer.from(hmac, 'base64url') },
  }
}
