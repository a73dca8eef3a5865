/** Compiles a seccomp filter: classic BPF (linux/filter.h) on linux/seccomp.h's data. */

/**
 * A system call that fails with `errno`: always, or only if the lower half of an argument has one of the bits `has`, or is
 * none of `otherThan`.
 */
export type Refusal = { call: number; errno: number } & (
  | { argument?: never }
  | { argument: number; has: number }
  | { argument: number; otherThan: number[] }
)

/** `audit` is the kernel's constant for the architecture; calls from `foreignFrom` on are of another ABI. */
export type Machine = { audit: number; foreignFrom: number }

/** One instruction; `then` and `ifNot` are how many instructions to skip. */
type Instruction = { code: number; value: number; ifSo?: number; ifNot?: number }

const codes = { load: 0x20, isEqual: 0x15, isAtLeast: 0x35, hasBit: 0x45, answer: 0x06 } as const

/** Offsets of the kernel's data; both supported architectures are little-endian. */
const at = { call: 0, machine: 4, argument: (index: number) => 16 + 8 * index } as const

const allow = { code: codes.answer, value: 0x7fff_0000 }
const kill = { code: codes.answer, value: 0x8000_0000 }
const fail = (errno: number) => ({ code: codes.answer, value: 0x0005_0000 | errno })

/** A filter that kills callers of another ABI, refuses these calls and allows all others. */
export function assembleFilter({ audit, foreignFrom }: Machine, refusals: Refusal[]): Buffer {
  return encode([
    { code: codes.load, value: at.machine },
    { code: codes.isEqual, value: audit, ifSo: 1 },
    kill,
    { code: codes.load, value: at.call },
    { code: codes.isAtLeast, value: foreignFrom, ifNot: 1 },
    kill,
    ...refusals.flatMap(refuse),
    allow,
  ])
}

/** The accumulator holds the call's number when this begins and when it continues. */
function refuse(refusal: Refusal): Instruction[] {
  const answer = refusal.argument === undefined ? [fail(refusal.errno)] : lookAtArgument(refusal)
  return [{ code: codes.isEqual, value: refusal.call, ifNot: answer.length }, ...answer]
}

function lookAtArgument(refusal: Refusal & { argument: number }): Instruction[] {
  const load = { code: codes.load, value: at.argument(refusal.argument) }
  const end = [fail(refusal.errno), allow]
  if ('has' in refusal) return [load, { code: codes.hasBit, value: refusal.has, ifNot: 1 }, ...end]
  const { otherThan } = refusal
  const tests = otherThan.map((value, index) => ({
    code: codes.isEqual,
    value,
    ifSo: otherThan.length - index,
  }))
  return [load, ...tests, ...end]
}

function encode(instructions: Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8)
  for (const [index, { code, value, ifSo = 0, ifNot = 0 }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifSo, index * 8 + 2)
    bytes.writeUInt8(ifNot, index * 8 + 3)
    bytes.writeUInt32LE(value, index * 8 + 4)
  }
  return bytes
}
