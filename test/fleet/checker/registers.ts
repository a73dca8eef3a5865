/** Sorts the operations of a history by the register that they are about. */
import type { History, Operation } from '../history/history.ts'
import { type Kind, kindOf } from './kinds.ts'
import { type Register, toRead, toWrite } from './register.ts'

export type KnownRegister = Register & {
  name: NonNullable<Kind['register']>
  subject: string
  /** Reads that may be a second old. */
  staleReads: Operation[]
}

/** All registers; at first there is nothing in them. */
export function registersOf({ operations }: Pick<History, 'operations'>): KnownRegister[] {
  const registers = new Map<string, KnownRegister>()
  for (const operation of operations) {
    const { register: name, access } = kindOf(operation)
    if (name === undefined) continue
    const { subject } = operation
    const key = `${name} ${subject}`
    const register = registers.get(key) ?? {
      name,
      subject,
      initial: null,
      writes: [],
      reads: [],
      staleReads: [],
    }
    registers.set(key, register)
    const [write, read] = [toWrite(operation), toRead(operation)]
    if (access === 'write' && write) register.writes.push(write)
    if (access === 'read' && read) register.reads.push(read)
    if (access === 'stale read' && read) register.staleReads.push(operation)
  }
  return [...registers.values()]
}
