/** Whether proxies send PROXY headers, by the settings of a node. */
import { createReadProxyHeader, type ReadProxyHeader } from '../net/proxy-protocol.ts'
import { createIsTrusted } from '../net/trusted-proxies.ts'
import type { Settings } from '../settings/variables.ts'

/** Undefined where they don't. */
export function readProxyHeaderOf({
  SVC_PROXY_PROTOCOL: isOn,
  SVC_TRUSTED_PROXIES: proxies,
}: Settings): ReadProxyHeader | undefined {
  return isOn ? createReadProxyHeader(createIsTrusted(proxies)) : undefined
}
