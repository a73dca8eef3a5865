/** Compiles a seccomp filter: classic BPF (linux/filter.h) on linux/seccomp.h's data. */

/**
 * A condition on the lower half of an argument: it has one of the bits `has`, is none of `otherThan`, or is
 * `equalTo`.
 */
type Condition = { argument: number } & ({ has: number } | { otherThan: number[] } | { equalTo: number })

/** A system call that fails with `errno`, if all conditions hold. */
export type Refusal = { call: number; errno: number; conditions?: Condition[] }

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
function refuse({ call, errno, conditions = [] }: Refusal): Instruction[] {
  const loadCall = { code: codes.load, value: at.call }
  // From the last one back: each skips what follows it where it does not hold.
  let rest: Instruction[] = [fail(errno)]
  for (const condition of conditions.toReversed()) rest = [...test(condition, rest.length), ...rest]
  const body = conditions.length === 0 ? rest : [...rest, loadCall]
  return [{ code: codes.isEqual, value: call, ifNot: body.length }, ...body]
}

/** Skips `following` instructions if the condition does not hold. */
function test(condition: Condition, following: number): Instruction[] {
  const load = { code: codes.load, value: at.argument(condition.argument) }
  if ('has' in condition) return [load, { code: codes.hasBit, value: condition.has, ifNot: following }]
  if ('equalTo' in condition) {
    return [load, { code: codes.isEqual, value: condition.equalTo, ifNot: following }]
  }
  const { otherThan } = condition
  const tests = otherThan.map((value, index) => ({
    code: codes.isEqual,
    value,
    ifSo: otherThan.length - 1 - index + following,
  }))
  return [load, ...tests]
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
