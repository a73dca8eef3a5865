import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findOverflow, makeRoom, type RunningServer } from '../../../src/platform/servers/fair.ts'

type Named = RunningServer & { name: string }

const usual = { teamId: 'a', projectId: 'p', isUntrusted: false, bytes: 100 }
const room = { processes: 3, bytes: 1_000 }

/** A production server of team `a` without a request. */
function server(name: string, given: Partial<RunningServer> = {}): Named {
  const idle = { requests: 0, oldSockets: 0, lastUsedMs: 0, isEnding: false }
  return { ...usual, target: 'production', ...idle, name, ...given }
}

const wanted = (given: Partial<typeof usual> = {}) => ({ ...usual, projectId: 'new', ...given })

const namesOf = (ended: Named[] | undefined) => ended?.map(({ name }) => name)

const ends = (running: Named[], given: Partial<typeof usual> = {}, has = room) =>
  namesOf(makeRoom(running, wanted(given), has))

describe('where there is room', () => {
  it('nothing is ended for a start on an idle node', () => {
    expect(ends([])).toEqual([])
  })

  it('nothing is ended while processes and bytes are left', () => {
    expect(ends([server('one'), server('two')])).toEqual([])
  })

  it('what is ending anyway is not waited for', () => {
    expect(ends([server('one', { isEnding: true })])).toEqual([])
  })
})

describe('where what runs has grown beyond the room', () => {
  const grown = (name: string, given: Partial<RunningServer> = {}) => server(name, { bytes: 400, ...given })
  const overflow = (...running: Named[]) => namesOf(findOverflow(running, room))

  it('nothing is ended while it fits', () => {
    expect(overflow(grown('one'), grown('two'))).toEqual([])
  })

  it('idle ones are ended until the others fit, previews first', () => {
    const all = [grown('one', { lastUsedMs: 1 }), grown('two', { lastUsedMs: 2 })]
    const preview = grown('preview', { target: 'preview', lastUsedMs: 3 })
    expect(overflow(...all, preview)).toEqual(['preview'])
    expect(overflow(...all, grown('three', { lastUsedMs: 3 }))).toEqual(['one'])
  })

  it('those with requests stay', () => {
    expect(overflow(...['one', 'two', 'three'].map((name) => grown(name, { requests: 1 })))).toEqual([])
  })

  it('what is ending already is not counted', () => {
    expect(overflow(grown('one', { isEnding: true }), grown('two'), grown('three'))).toEqual([])
  })

  it('the team that uses most is the first', () => {
    const all = [
      grown('old', { lastUsedMs: 1 }),
      ...['new', 'newer'].map((name) => grown(name, { teamId: 'b', lastUsedMs: 2 })),
    ]
    expect(overflow(...all)).toEqual(['new'])
  })
})

describe('what goes first', () => {
  it('a server with a request is never ended', () => {
    const busy = ['one', 'two', 'three'].map((name) => server(name, { requests: 1, isUntrusted: true }))
    expect(ends(busy)).toBeUndefined()
  })

  it('an untrusted one goes before a preview, and that before production', () => {
    const three = [
      server('production', { lastUsedMs: 1 }),
      server('preview', { target: 'preview', lastUsedMs: 2 }),
      server('untrusted', { target: 'preview', isUntrusted: true, lastUsedMs: 3 }),
    ]
    expect(ends(three)).toEqual(['untrusted'])
    expect(ends(three.slice(0, 2), {}, { ...room, processes: 2 })).toEqual(['preview'])
    expect(ends(three.slice(0, 1), {}, { ...room, processes: 1 })).toEqual(['production'])
  })

  it('old WebSockets keep production, and nothing else', () => {
    const held = { requests: 2, oldSockets: 2 }
    const all = [
      server('production', held),
      server('preview', { ...held, target: 'preview' }),
      server('untrusted', { ...held, isUntrusted: true }),
    ]
    expect(ends(all)).toEqual(['untrusted'])
    expect(ends(all.slice(0, 2), {}, { ...room, processes: 2 })).toEqual(['preview'])
    expect(ends(all.slice(0, 1), {}, { ...room, processes: 1 })).toBeUndefined()
  })

  it('old WebSockets beside a request keep a preview, too', () => {
    const busy = server('busy', { target: 'preview', requests: 3, oldSockets: 2 })
    expect(ends([busy], {}, { ...room, processes: 1 })).toBeUndefined()
  })

  it('of one kind what has no WebSockets goes first, though it was used later', () => {
    const held = { requests: 1, oldSockets: 1, target: 'preview' } as const
    const three = [
      server('production'),
      server('held', { ...held, lastUsedMs: 1 }),
      server('idle', { target: 'preview', lastUsedMs: 2 }),
    ]
    expect(ends(three)).toEqual(['idle'])
  })

  it('of one kind that of the team with the most goes, though another was used longer ago', () => {
    const three = [
      server('old', { teamId: 'b', lastUsedMs: 1 }),
      server('two', { lastUsedMs: 2 }),
      server('three', { lastUsedMs: 3 }),
    ]
    expect(ends(three, { teamId: 'c' })).toEqual(['two'])
  })

  it('memory counts as processes do: one large server is more than two small ones', () => {
    const three = [
      server('small', { lastUsedMs: 1, bytes: 10 }),
      server('smaller', { lastUsedMs: 2, bytes: 10 }),
      server('large', { teamId: 'b', lastUsedMs: 3, bytes: 900 }),
    ]
    expect(ends(three, { teamId: 'c' })).toEqual(['large'])
  })

  it('of one team the one goes that was used longest ago', () => {
    const three = [
      server('new', { lastUsedMs: 3 }),
      server('old', { lastUsedMs: 1 }),
      server('mid', { lastUsedMs: 2 }),
    ]
    expect(ends(three)).toEqual(['old'])
  })

  it('what is ending anyway is waited for before another is ended', () => {
    const three = [
      server('idle'),
      server('ending', { isEnding: true, requests: 2 }),
      server('busy', { requests: 1 }),
    ]
    expect(ends(three)).toEqual(['ending'])
  })
})

describe('how many go', () => {
  it('as many as free the bytes', () => {
    const large = ['one', 'two', 'three'].map((name, lastUsedMs) => server(name, { bytes: 300, lastUsedMs }))
    expect(ends(large, { bytes: 500 }, { processes: 10, bytes: 1_000 })).toEqual(['one', 'two'])
  })

  it('a small one stays where a large one has to go and is enough', () => {
    const mixed = [server('small', { target: 'preview', bytes: 50 }), server('large', { bytes: 900 })]
    expect(ends(mixed, { bytes: 500 })).toEqual(['large'])
  })

  it('none where even all that are idle are not enough', () => {
    const mixed = [server('idle', { bytes: 300 }), server('busy', { bytes: 600, requests: 1 })]
    expect(ends(mixed, { bytes: 500 })).toBeUndefined()
  })

  it('none for a server that is larger than the room', () => {
    expect(ends([server('idle')], { bytes: 1_001 })).toBeUndefined()
  })
})

describe('between teams', () => {
  const full = (name: string, teamId: string, lastUsedMs = 0) => server(name, { teamId, lastUsedMs })

  it('a team alone above its share ends one of its own, and not the only one of another', () => {
    expect(ends([full('other', 'b', 1), full('one', 'a', 2), full('two', 'a', 3)])).toEqual(['one'])
  })

  it('a team alone above its share gets nothing where all of its own serve requests', () => {
    const mine = ['one', 'two'].map((name) => server(name, { requests: 1 }))
    expect(ends([full('other', 'b'), ...mine])).toBeUndefined()
  })

  it('not even the preview or the untrusted server of another', () => {
    const mine = ['one', 'two'].map((name) => server(name, { requests: 1 }))
    const others = server('other', { teamId: 'b', target: 'preview', isUntrusted: true })
    expect(ends([others, ...mine])).toBeUndefined()
  })

  it('a team below its share ends one of a team above it', () => {
    expect(ends([full('one', 'b'), full('two', 'b', 1), full('three', 'b', 2)])).toEqual(['one'])
  })

  it('two teams that are equally far above their share take nothing from each other', () => {
    const both = [full('one', 'b'), full('two', 'b'), server('mine', { requests: 1 }), full('three', 'c')]
    const four = { processes: 4, bytes: 1_000 }
    expect(ends(both, {}, four)).toBeUndefined()
    expect(ends([...both.slice(0, 3), full('three', 'b')], {}, four)).toEqual(['one'])
  })

  it('a team without a server gets one, however small the room is', () => {
    expect(ends([full('other', 'b')], {}, { ...room, processes: 1 })).toEqual(['other'])
  })

  it('a team above its share ends one of a team that is further above', () => {
    const all = [
      ...['one', 'two', 'three', 'four'].map((name) => full(name, 'b')),
      server('mine', { requests: 1 }),
      server('mine too', { requests: 1 }),
      ...['c', 'd'].map((teamId) => full(teamId, teamId)),
    ]
    expect(ends(all, {}, { processes: 8, bytes: 10_000 })).toEqual(['one'])
  })
})

describe('an untrusted project', () => {
  const fork = { isUntrusted: true, projectId: 'p', target: 'preview' as const }

  it('has one process: the next one takes the place of an idle one, however much room there is', () => {
    expect(ends([server('fork', fork)], fork)).toEqual(['fork'])
  })

  it('gets no second one while the first serves requests', () => {
    expect(ends([server('fork', { ...fork, requests: 1 })], fork)).toBeUndefined()
  })

  it('waits for its first one to end', () => {
    expect(ends([server('fork', { ...fork, isEnding: true, requests: 1 })], fork)).toEqual(['fork'])
  })

  it('of another project has a place of its own', () => {
    expect(ends([server('fork', fork)], { ...fork, projectId: 'q' })).toEqual([])
  })

  it("takes no place from its project's trusted servers", () => {
    expect(ends([server('own', { projectId: 'p' })], fork)).toEqual([])
  })
})

describe('whatever runs', () => {
  const holding = {
    teamId: fc.constantFrom('a', 'b', 'c'),
    projectId: fc.constantFrom('p', 'q', 'r'),
    isUntrusted: fc.boolean(),
    bytes: fc.integer({ min: 1, max: 400 }),
  }
  const anyServers = fc.array(
    fc.record({
      ...holding,
      name: fc.uuid(),
      target: fc.constantFrom('production' as const, 'preview' as const),
      requests: fc.integer({ min: 0, max: 2 }),
      oldSockets: fc.integer({ min: 0, max: 1 }),
      lastUsedMs: fc.nat(100),
      isEnding: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  const anyWanted = fc.record(holding)
  const anyRoom = fc.record({
    processes: fc.integer({ min: 1, max: 12 }),
    bytes: fc.integer({ min: 400, max: 2_000 }),
  })
  const bytesOf = (all: { bytes: number }[]) => all.reduce((sum, { bytes }) => sum + bytes, 0)

  it('there is room afterwards, nothing with requests has gone, and none could have stayed', () => {
    fc.assert(
      fc.property(anyServers, anyWanted, anyRoom, (running, start, has) => {
        const ended = makeRoom(running, start, has)
        if (!ended) return
        const fits = (gone: Named[]) => {
          const left = running.filter((each) => !gone.includes(each))
          const isAlone = !left.some(
            (each) => start.isUntrusted && each.isUntrusted && each.projectId === start.projectId,
          )
          return isAlone && left.length < has.processes && bytesOf(left) + start.bytes <= has.bytes
        }
        expect(fits(ended)).toBe(true)
        const isKept = ({ requests, oldSockets, isUntrusted, target }: Named) =>
          requests > (isUntrusted || target === 'preview' ? oldSockets : 0)
        expect(ended.filter((each) => isKept(each) && !each.isEnding)).toEqual([])
        const isTaken = ({ teamId, isEnding }: Named) => teamId !== start.teamId && !isEnding
        const spared = ended.some(isTaken) ? ended.filter(isTaken) : ended
        for (const each of spared) expect(fits(ended.filter((other) => other !== each))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('a team with all the others at or below what it has never ends theirs', () => {
    fc.assert(
      fc.property(anyServers, anyWanted, anyRoom, (running, start, has) => {
        const useOf = (teamId: string, all: { teamId: string; bytes: number }[]) => {
          const own = all.filter((each) => each.teamId === teamId)
          return Math.max(own.length / has.processes, bytesOf(own) / has.bytes)
        }
        const trusted = running.map((each) => ({ ...each, isEnding: false, isUntrusted: false }))
        const ended = makeRoom(trusted, start, has) ?? []
        const teams = new Set([start, ...trusted].map(({ teamId }) => teamId))
        const others = ended.filter(({ teamId }) => teamId !== start.teamId)
        const left = trusted.filter((each) => !ended.includes(each) || each.teamId !== start.teamId)
        const isFirst = !left.some(({ teamId }) => teamId === start.teamId)
        const mine = useOf(start.teamId, [...left, start])
        for (const { teamId } of others)
          expect(isFirst || mine <= 1 / teams.size || useOf(teamId, trusted) > mine).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
