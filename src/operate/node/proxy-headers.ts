/** Whether proxies send PROXY headers, by the settings of a node. */
import { createReadProxyHeader, type ReadProxyHeader } from '../../lib/net/proxy-protocol.ts'
import { createIsTrusted } from '../../lib/net/trusted-proxies.ts'
import type { Settings } from '../../lib/settings/variables.ts'

/** Undefined where they don't. */
export function readProxyHeaderOf({
  SVC_PROXY_PROTOCOL: isOn,
  SVC_TRUSTED_PROXIES: proxies,
}: Settings): ReadProxyHeader | undefined {
  return isOn ? createReadProxyHeader(createIsTrusted(proxies)) : undefined
}
