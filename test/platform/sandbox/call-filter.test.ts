/** The system call filter, evaluated as the kernel does. */
import { describe, expect, it } from 'vitest'
import { buildFilter } from '../../../src/platform/sandbox/refused-calls.ts'

type Call = { machine: number; call: number; arguments?: number[] }

/** A filter's action for a call: the rules of linux/filter.h for the instructions that it has. */
function run(filter: Buffer, { machine, call, arguments: given = [] }: Call): number {
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call, 0)
  data.writeUInt32LE(machine, 4)
  for (const [index, value] of given.entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * index)
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const value = filter.readUInt32LE(at * 8 + 4)
    const jump = (holds: boolean) => {
      at += filter.readUInt8(at * 8 + (holds ? 2 : 3))
    }
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) jump(loaded === value)
    else if (code === 0x35) jump(loaded >= value)
    else if (code === 0x45) jump((BigInt(loaded) & BigInt(value)) !== 0n)
    else if (code === 0x06) return value
    else throw new Error(`No such instruction: ${code}.`)
  }
  throw new Error('The filter has no end.')
}

const allowed = 0x7fff_0000
const killed = 0x8000_0000
const failed = (errno: number) => 0x0005_0000 + errno

/** The numbers of the headers of Linux: asm/unistd_64.h, asm-generic/unistd.h. */
const machines = [
  {
    arch: 'x64',
    audit: 0xc000_003e,
    foreign: 0x4000_0003,
    free: {
      read: 0,
      execve: 59,
      fork: 57,
      openat: 257,
      futex: 202,
      prctl: 157,
      setresuid: 117,
      pidfd_open: 434,
    },
    shut: {
      mount: 165,
      ptrace: 101,
      keyctl: 250,
      add_key: 248,
      request_key: 249,
      bpf: 321,
      setns: 308,
      iopl: 172,
    },
    clone: 56,
    unshare: 272,
    socket: 41,
    shmget: 29,
    memfd: 319,
    setsockopt: 54,
  },
  {
    arch: 'arm64',
    audit: 0xc000_00b7,
    foreign: 0x4000_0003,
    free: { read: 63, execve: 221, openat: 56, futex: 98, prctl: 167, setresuid: 147, pidfd_open: 434 },
    shut: { mount: 40, ptrace: 117, keyctl: 219, add_key: 217, request_key: 218, bpf: 280, setns: 268 },
    clone: 220,
    unshare: 97,
    socket: 198,
    shmget: 194,
    memfd: 279,
    setsockopt: 208,
  },
]

describe.each(machines)(
  'on $arch',
  ({ arch, audit, foreign, free, shut, clone, unshare, socket, shmget, memfd, setsockopt }) => {
    const filter = buildFilter(arch, { counted: true }) ?? Buffer.alloc(0)
    const decide = (call: number, ...given: number[]) =>
      run(filter, { machine: audit, call, arguments: given })

    it('allows the calls that programs need', () => {
      for (const call of Object.values(free)) expect([call, decide(call)]).toEqual([call, allowed])
    })

    it('refuses calls that no build needs, whatever their arguments', () => {
      const everywhere = {
        io_uring_setup: 425,
        fsopen: 430,
        move_mount: 429,
        pidfd_getfd: 438,
        statmount: 457,
      }
      for (const call of Object.values({ ...shut, ...everywhere })) {
        expect([call, decide(call, 0, 0)]).toEqual([call, failed(1)])
      }
    })

    it('allows processes and threads, but not namespaces', () => {
      expect(decide(clone, 0x11)).toBe(allowed)
      // The flags of glibc for a new thread.
      expect(decide(clone, 0x003d_0f00)).toBe(allowed)
      for (const bit of [17, 25, 26, 27, 28, 29, 30]) expect(decide(clone, 0x11 + 2 ** bit)).toBe(failed(1))
      expect(decide(unshare, 0x400)).toBe(allowed)
      for (const bit of [7, 17, 25, 26, 27, 28, 29, 30]) expect(decide(unshare, 2 ** bit)).toBe(failed(1))
      expect(decide(435, 0, 88)).toBe(failed(38))
    })

    it('allows sockets of the families that a network namespace isolates', () => {
      for (const family of [1, 2, 10, 16]) expect(decide(socket, family, 1)).toBe(allowed)
      for (const family of [0, 3, 17, 38, 40]) expect(decide(socket, family, 1)).toBe(failed(97))
    })

    it('allows only the usual protocols on them', () => {
      for (const protocol of [0, 1, 6, 17, 58]) expect(decide(socket, 2, 1, protocol)).toBe(allowed)
      for (const protocol of [33, 132, 262]) expect(decide(socket, 2, 1, protocol)).toBe(failed(93))
      // A refused family is refused with any.
      expect(decide(socket, 40, 1, 132)).toBe(failed(97))
    })

    it('keeps the send buffers of sockets as they are, without a control group', () => {
      const without = buildFilter(arch, { counted: false }) ?? Buffer.alloc(0)
      const set = (...given: number[]) => run(without, { machine: audit, call: setsockopt, arguments: given })
      expect(set(3, 1, 7)).toBe(failed(1))
      // SO_RCVBUF, SO_KEEPALIVE, and TCP_SYNCNT, which has the same number at another level.
      for (const [level, option] of [
        [1, 8],
        [1, 9],
        [6, 7],
      ] as const)
        expect(set(3, level, option)).toBe(allowed)
      expect(decide(setsockopt, 3, 1, 7)).toBe(allowed)
    })

    it('compares the lower half of an argument only, as the kernel does', () => {
      expect(decide(unshare, 2 ** 32 + 2 ** 28)).toBe(failed(1))
      expect(decide(unshare, 2 ** 40)).toBe(allowed)
    })

    it('kills callers with another calling convention', () => {
      const i386 = 0x4000_0003
      const arm = 0x4000_0028
      const other = arch === 'x64' ? 0xc000_00b7 : 0xc000_003e
      for (const machine of [i386, arm, other]) expect(run(filter, { machine, call: 1 })).toBe(killed)
      expect(decide(foreign)).toBe(killed)
      expect(decide(0xffff_ffff)).toBe(killed)
    })

    it('allows memory outside of any process only if a control group counts it', () => {
      expect(decide(shmget)).toBe(allowed)
      const without = buildFilter(arch, { counted: false }) ?? Buffer.alloc(0)
      expect(run(without, { machine: audit, call: shmget })).toBe(failed(38))
      expect(decide(memfd)).toBe(allowed)
      expect(run(without, { machine: audit, call: memfd })).toBe(failed(38))
    })

    it('is no longer than the kernel accepts', () => {
      expect(filter.length / 8).toBeLessThan(4096)
    })
  },
)

it('no filter exists for other architectures', () => {
  expect(buildFilter('mips', { counted: true })).toBeUndefined()
})
