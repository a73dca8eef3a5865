/** The rules of each type of record. */
import type { RecordType } from '../../../lib/names/record-types.ts'
import { a } from './a.ts'
import { aaaa } from './aaaa.ts'
import { alias } from './alias.ts'
import { caa } from './caa.ts'
import { cname } from './cname.ts'
import { ds } from './ds.ts'
import { loc } from './loc.ts'
import { mx } from './mx.ts'
import { naptr } from './naptr.ts'
import { ns } from './ns.ts'
import { ptr } from './ptr.ts'
import type { TypeRule } from './rule.ts'
import { srv } from './srv.ts'
import { sshfp } from './sshfp.ts'
import { svcb } from './svcb.ts'
import { tlsa } from './tlsa.ts'
import { txt } from './txt.ts'

export const rules: Record<RecordType, TypeRule> = {
  A: a,
  AAAA: aaaa,
  ALIAS: alias,
  CAA: caa,
  CNAME: cname,
  DS: ds,
  HTTPS: svcb,
  LOC: loc,
  MX: mx,
  NAPTR: naptr,
  NS: ns,
  PTR: ptr,
  SRV: srv,
  SSHFP: sshfp,
  SVCB: svcb,
  TLSA: tlsa,
  TXT: txt,
}
