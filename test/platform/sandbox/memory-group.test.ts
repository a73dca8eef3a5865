import { describe, expect, it } from 'vitest'
import { findPlace } from '../../../src/platform/sandbox/memory-group.ts'

const version1 = `32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu
35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
`
const version2 = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
30 24 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate
`

describe('groups that limit memory are created', () => {
  it('below the current one in version 1', () => {
    expect(findPlace(version1, '4:memory:/docker/abc/x\n0::/\n')).toEqual({
      version: 1,
      directory: '/sys/fs/cgroup/memory/x',
    })
    expect(findPlace(version1, '4:cpu,memory:/docker/abc\n')).toEqual({
      version: 1,
      directory: '/sys/fs/cgroup/memory',
    })
  })

  it('beside the current one in version 2', () => {
    expect(findPlace(version2, '0::/system.slice/svc.service/main\n')).toEqual({
      version: 2,
      directory: '/sys/fs/cgroup/system.slice/svc.service',
      own: '/sys/fs/cgroup/system.slice/svc.service/main',
    })
  })

  it.each([
    ['only the current group is visible', version2, '0::/\n'],
    ['another part is visible', version2.replace(' / /sys', ' /a /sys'), '0::/b/c\n'],
    ['there are none', '', ''],
  ])('nowhere when %s', (_when, mounts, own) => {
    expect(findPlace(mounts, own)).toBeUndefined()
  })
})
