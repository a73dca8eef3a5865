/** Numbers in messages (IANA's registry of DNS parameters). */
import { soaNumber, typeNumbers } from '../../../platform/dns/type-numbers.ts'

export const types = {
  ...typeNumbers,
  SOA: soaNumber,
  HINFO: 13,
  OPT: 41,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
} as const

export const internet = 1

export const rcodes = {
  noError: 0,
  formErr: 1,
  servFail: 2,
  nxDomain: 3,
  notImp: 4,
  refused: 5,
  /** Its upper bits go into the OPT record (RFC 6891, section 6.1.3). */
  badVers: 16,
} as const
