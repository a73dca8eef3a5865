/** Where another frame may be sent on a WebSocket. */
import { expect, it } from 'vitest'
import { createFrameEnds } from '../../../../src/roles/edge/forward/frame-ends.ts'

const filled = (length: number) => Buffer.alloc(length, 0x88)
const mask = [1, 2, 3, 4]

const frames: [string, Buffer][] = [
  ['an empty text', Buffer.from([0x81, 0])],
  ['a short text', Buffer.concat([Buffer.from([0x81, 5]), filled(5)])],
  ['a text with a mask', Buffer.concat([Buffer.from([0x81, 0x80 | 5, ...mask]), filled(5)])],
  ['a ping', Buffer.concat([Buffer.from([0x89, 2]), filled(2)])],
  ['the first part of a message', Buffer.concat([Buffer.from([0x01, 3]), filled(3)])],
  ['300 bytes', Buffer.concat([Buffer.from([0x82, 126, 1, 44]), filled(300)])],
  ['300 bytes with a mask', Buffer.concat([Buffer.from([0x82, 0x80 | 126, 1, 44, ...mask]), filled(300)])],
  ['70,000 bytes', Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70]), filled(70_000)])],
]

it('is at the beginning', () => expect(createFrameEnds().mayFollow()).toBe(true))

it.each(frames)('is behind %s, and nowhere within', (_what, frame) => {
  const { read, mayFollow } = createFrameEnds()
  for (let at = 0; at < frame.length - 1; at += 1) {
    read(frame.subarray(at, at + 1))
    if (mayFollow()) expect.unreachable(`after ${at + 1} bytes`)
  }
  read(frame.subarray(-1))
  expect(mayFollow()).toBe(true)
})

it('is behind frames that come in chunks of any length', () => {
  const all = Buffer.concat(frames.map(([, frame]) => frame))
  for (const length of [1_000, 60_000, all.length]) {
    const { read, mayFollow } = createFrameEnds()
    for (let at = 0; at < all.length; at += length) read(all.subarray(at, at + length))
    expect(mayFollow()).toBe(true)
  }
})

it('is never behind the last one', () => {
  const { read, mayFollow } = createFrameEnds()
  read(Buffer.from([0x88, 2, 3, 0xe8]))
  expect(mayFollow()).toBe(false)
  read(Buffer.from([0x81, 0]))
  expect(mayFollow()).toBe(false)
})
