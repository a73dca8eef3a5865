/** Programs for x86-64 that make one system call, in ways that no interpreter would. */

/** The calling convention: that of x86-64, or of i386. */
const ways = { syscall: [0x0f, 0x05], interrupt: [0xcd, 0x80] } as const

/** An executable that makes the call with these arguments and exits with its errno, or 0 if it succeeded. */
export function rawCall(call: number, given: number[] = [], way: keyof typeof ways = 'syscall'): Buffer {
  const [first = 0, second = 0, third = 0] = given
  const code = Buffer.from([
    // mov eax, call; mov edi, esi and edx, the arguments; xor r10d, r10d
    ...[
      0xb8,
      ...word(call),
      0xbf,
      ...word(first),
      0xbe,
      ...word(second),
      0xba,
      ...word(third),
      0x45,
      0x31,
      0xd2,
    ],
    ...ways[way],
    // neg eax; xor ecx, ecx; test eax, eax; cmovs eax, ecx; mov edi, eax; mov eax, 231 (exit_group); syscall
    ...[0xf7, 0xd8, 0x31, 0xc9, 0x85, 0xc0, 0x0f, 0x48, 0xc1, 0x89, 0xc7, 0xb8, ...word(231), 0x0f, 0x05],
  ])
  return Buffer.concat([headers(code.length), code])
}

const word = (value: number) => [...Buffer.from(new Uint32Array([value]).buffer)]

/** The ELF header and that of its one segment, which is the whole file (elf.h). */
function headers(codeBytes: number): Buffer {
  const size = 64 + 56
  const base = 0x40_0000n
  const bytes = Buffer.alloc(size)
  bytes.write('\x7fELF\x02\x01\x01', 'latin1')
  // An executable for x86-64.
  bytes.writeUInt16LE(2, 16)
  bytes.writeUInt16LE(62, 18)
  bytes.writeUInt32LE(1, 20)
  bytes.writeBigUInt64LE(base + BigInt(size), 24)
  bytes.writeBigUInt64LE(64n, 32)
  bytes.writeUInt16LE(64, 52)
  bytes.writeUInt16LE(56, 54)
  bytes.writeUInt16LE(1, 56)
  // To be loaded, readable and executable.
  bytes.writeUInt32LE(1, 64)
  bytes.writeUInt32LE(5, 68)
  for (const offset of [80, 88]) bytes.writeBigUInt64LE(base, offset)
  for (const offset of [96, 104]) bytes.writeBigUInt64LE(BigInt(size + codeBytes), offset)
  bytes.writeBigUInt64LE(0x1000n, 112)
  return bytes
}
