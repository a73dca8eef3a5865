/** SRV: the hosts of a service (RFC 2782). */
import { readTarget } from '../record-names.ts'
import { isWildcard, type TypeRule } from './rule.ts'
import { absolute, nameBytes, targetOf, withTarget } from './target.ts'

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
  leadsTo: ({ value }) => value,
  dataBytes: ({ value }) => 6 + nameBytes(value),
  text: {
    takes: ['a priority', 'a weight', 'a port', 'a name'],
    read: ([priority = '', weight = '', port = '', name = ''], origin) =>
      withTarget(name, origin, { priority, weight, port }),
    write: ({ value, priority, weight, port }) => `${priority} ${weight} ${port} ${absolute(value)}`,
  },
  wire: {
    read(reader) {
      const numbers = { priority: reader.short(), weight: reader.short(), port: reader.short() }
      return { ...numbers, value: reader.name() }
    },
    leastBytes: 7,
    write(writer, { value, priority, weight, port }) {
      for (const number of [priority, weight, port]) writer.short(number ?? 0)
      // RFC 2782: not compressed.
      writer.name(targetOf(value), false)
    },
  },
}
