/** What is stored of how a server runs, and what of it applies. */
import { expect, it } from 'vitest'
import { mergeRuntime, runtimeOf } from '../../../src/platform/projects/runtime-settings.ts'

const mebibyte = 1024 * 1024
const initial = {
  memory_bytes: 512 * mebibyte,
  health_path: null,
  idle_s: 900,
  min: 0,
  network: 'none',
  ports: null,
  release: null,
}

it('what is not stored is as at first', () => {
  expect(runtimeOf({})).toEqual(initial)
  expect(runtimeOf({ idle_s: 60 })).toEqual({ ...initial, idle_s: 60 })
})

it('only what differs from the first values is stored', () => {
  const stored = mergeRuntime({}, { memory_bytes: 256 * mebibyte, idle_s: 900, health_path: null })
  expect(stored).toEqual({ memory_bytes: 256 * mebibyte })
  expect(mergeRuntime(stored, { health_path: '/up' })).toEqual({ ...stored, health_path: '/up' })
  expect(mergeRuntime(stored, { memory_bytes: 512 * mebibyte })).toEqual({})
})

it('null restores the first value, and what is left out stays', () => {
  const stored = { memory_bytes: 256 * mebibyte, health_path: '/up' }
  expect(mergeRuntime(stored, { memory_bytes: null })).toEqual({ health_path: '/up' })
  expect(mergeRuntime(stored, {})).toEqual(stored)
})
