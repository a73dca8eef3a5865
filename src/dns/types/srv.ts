/** SRV: the hosts of a service (RFC 2782). */
import { readTarget } from '../names.ts'
import { isWildcard, type TypeRule } from './rule.ts'

const serviceName = /^_[^.]+\._[^.]+\./

export const srv: TypeRule = {
  numbers: ['priority', 'weight', 'port'],
  // The root's name means that there is no such service.
  readValue: (text) => (text === '.' ? text : readTarget(text)),
  check(record) {
    if (isWildcard(record) || serviceName.test(record.fqdn)) return undefined
    return {
      path: 'name',
      message: 'must begin with service and protocol for SRV: _imaps._tcp, _sip._udp.shop',
    }
  },
}
