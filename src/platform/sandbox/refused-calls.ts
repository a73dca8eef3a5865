/**
 * The system calls that builds don't need and that weaken the sandbox, or expose rarely used parts of the
 * kernel.
 */
import { assembleFilter, type Machine } from './call-filter.ts'

/** By Node's names. The other ABI is x32 on x86-64; arm64 has only its own. */
const machines: Partial<Record<string, Machine & { column: 0 | 1 }>> = {
  x64: { audit: 0xc000_003e, foreignFrom: 0x4000_0000, column: 0 },
  arm64: { audit: 0xc000_00b7, foreignFrom: 0x4000_0000, column: 1 },
}

const errors = {
  notPermitted: 1,
  notImplemented: 38,
  protocolNotSupported: 93,
  familyNotSupported: 97,
} as const

/**
 * The numbers of a call on x86-64 and on arm64, if it exists there (arch/x86 and include/uapi/asm-generic).
 */
type Numbers = readonly [x64: number | null, arm64: number | null]

/** Calls since 2019 have one number on all architectures. */
const everywhere = (number: number): Numbers => [number, number]

const refused: Record<string, Numbers> = {
  // Other namespaces, and mounts in them.
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: everywhere(428),
  move_mount: everywhere(429),
  fsopen: everywhere(430),
  fsconfig: everywhere(431),
  fsmount: everywhere(432),
  fspick: everywhere(433),
  mount_setattr: everywhere(442),
  statmount: everywhere(457),
  listmount: everywhere(458),
  open_tree_attr: everywhere(467),
  // Keys are per user and session, not per namespace.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: everywhere(438),
  process_madvise: everywhere(440),
  process_mrelease: everywhere(448),
  // Where most of the kernel's vulnerabilities have been.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: everywhere(425),
  io_uring_enter: everywhere(426),
  io_uring_register: everywhere(427),
  memfd_secret: everywhere(447),
  modify_ldt: [154, null],
  lookup_dcookie: [212, 18],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  // The whole machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  create_module: [174, null],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  get_kernel_syms: [177, null],
  query_module: [178, null],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: everywhere(443),
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
  _sysctl: [156, null],
}

/**
 * Memory outside of processes, which only a control group counts; `memfd_create`'s may be in no process at
 * all.
 */
const keeping: Record<string, Numbers> = {
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  memfd_create: [319, 279],
}

const unshare: Numbers = [272, 97]
const clone: Numbers = [56, 220]
const clone3 = everywhere(435)
const socket: Numbers = [41, 198]
const setsockopt: Numbers = [54, 208]

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; `clone` has no bit for NEWTIME. */
const newNamespaces = 0x7e02_0000
const newTime = 0x80

/**
 * AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK; others, such as AF_VSOCK, aren't isolated by network namespaces.
 */
const families = [1, 2, 10, 16]

/**
 * DCCP, L2TP, SCTP, SMC and MPTCP, which programs do without: rarely used, and not counted among the buffers
 * of a build.
 */
const protocols = [33, 115, 132, 256, 262]

/** SOL_SOCKET, SO_SNDBUF. */
const sendBuffer = [1, 7] as const

/**
 * The filter of builds for an architecture, by Node's name; undefined if there is none. `counted`: a control
 * group counts the kernel's memory for a build.
 */
export function buildFilter(arch: string, { counted }: { counted: boolean }): Buffer | undefined {
  const machine = machines[arch]
  if (!machine) return undefined
  const on = (calls: Record<string, Numbers>) =>
    Object.values(calls).flatMap((numbers) => numbers[machine.column] ?? [])
  const { notPermitted, notImplemented, protocolNotSupported, familyNotSupported } = errors
  return assembleFilter(machine, [
    ...on({ clone }).map((call) => ({
      call,
      errno: notPermitted,
      conditions: [{ argument: 0, has: newNamespaces }],
    })),
    ...on({ unshare }).map((call) => ({
      call,
      errno: notPermitted,
      conditions: [{ argument: 0, has: newNamespaces | newTime }],
    })),
    ...on({ socket }).flatMap((call) => [
      { call, errno: familyNotSupported, conditions: [{ argument: 0, otherThan: families }] },
      ...protocols.map((equalTo) => ({
        call,
        errno: protocolNotSupported,
        conditions: [{ argument: 2, equalTo }],
      })),
    ]),
    // Its flags are in memory, which a filter can't read: programs then fall back to `clone`.
    ...on({ clone3 }).map((call) => ({ call, errno: notImplemented })),
    ...on(refused).map((call) => ({ call, errno: notPermitted })),
    ...on(counted ? {} : keeping).map((call) => ({ call, errno: notImplemented })),
    // So that the number of sockets says how much they hold at most.
    ...on(counted ? {} : { setsockopt }).map((call) => ({
      call,
      errno: notPermitted,
      conditions: sendBuffer.map((equalTo, index) => ({ argument: index + 1, equalTo })),
    })),
  ])
}
