/** Numbers in messages (IANA's registry of DNS parameters). */
import type { RecordType } from '../../../lib/names/record-types.ts'

export const types = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  CAA: 257,
  /** No 16-bit number: it can't be queried. */
  ALIAS: 0x1_0000,
} as const satisfies Record<RecordType, number> & Record<string, number>

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
