/** Which repository an event is of, and where that is by now. */
import { describe, expect, it } from 'vitest'
import { matchRepository } from '../../../../src/platform/forges/events/match-repository.ts'

const repository = {
  id: '1',
  name: 'Acme/web',
  url: 'https://git.example/Acme/web',
  urls: ['https://git.example/Acme/web', 'https://git.example/Acme/web.git'],
  defaultBranch: 'main',
}

const at = (url: string) => ({ ...repository, url, urls: [url, `${url}.git`] })

const unknown = (url: string) => ({ url, repositoryId: null, formerUrls: [] })

describe('before its id is known, by its address', () => {
  it.each([
    'https://git.example/Acme/web',
    'https://git.example/Acme/web.git',
    'https://git.example/Acme/web/',
    'https://git.example/Acme/web.git/',
    'https://GIT.Example:443/Acme/web',
    'https://git.example/acme/WEB',
    'https://git.example/ACME/web.git',
  ])('%s is', (url) => {
    expect(matchRepository(repository, unknown(url))).toEqual({ ok: true, url })
  })

  it.each([
    'https://git.example/Acme/website',
    'https://git.example/Acme/we',
    'https://git.example/Acme',
    'https://git.example/',
    'https://git.example:8443/Acme/web',
    'https://other.example/Acme/web',
    'https://git.example.other.example/Acme/web',
    'http://git.example/Acme/web',
    'git@git.example:Acme/web.git',
    'Acme/web',
    '',
  ])('%s is not', (url) => {
    expect(matchRepository(repository, unknown(url)).ok).toBe(false)
  })

  it('a repository without a secure address has none', () => {
    expect(matchRepository({ ...repository, urls: [] }, unknown(repository.url)).ok).toBe(false)
  })
})

describe('once its id is known, by that', () => {
  const known = { url: repository.url, repositoryId: '1', formerUrls: ['https://git.example/acme/old'] }

  it('another one at the same address is not, and what to do is said', () => {
    expect(matchRepository({ ...repository, id: '2' }, known)).toEqual({
      ok: false,
      why: expect.stringContaining('svc git connect https://git.example/Acme/web --new-secret'),
    })
  })

  it.each([
    ['https://git.example/acme/site', 'https://git.example/acme/site'],
    ['https://git.example/other/deep/web', 'https://git.example/other/deep/web'],
    ['https://git.example/ACME/WEB', 'https://git.example/Acme/web'],
  ])('at %s it is at %s', (moved, url) => {
    expect(matchRepository(at(moved), known)).toEqual({ ok: true, url })
  })

  it.each(['https://git.example/acme/old', 'https://git.example/Acme/OLD'])(
    'at %s, where it was before, it is not again',
    (former) => {
      expect(matchRepository(at(former), known)).toEqual({ ok: true, url: known.url })
    },
  )

  it.each([
    'https://other.example/Acme/web',
    'https://git.example:8443/Acme/web',
    'https://git.example.evil.example/Acme/web',
    'http://git.example/acme/site',
  ])('at %s it is on another host', (moved) => {
    expect(matchRepository(at(moved), known)).toEqual({
      ok: false,
      why: expect.stringContaining('moved to another host than git.example'),
    })
  })
})
