/** Which address is that of a repository. */
import { expect, it } from 'vitest'
import { matchesRepository } from '../../../../src/platform/forges/events/matches-repository.ts'

const repository = {
  id: '1',
  name: 'Acme/web',
  url: 'https://git.example/Acme/web',
  urls: ['https://git.example/Acme/web', 'https://git.example/Acme/web.git'],
  defaultBranch: 'main',
}

it.each([
  'https://git.example/Acme/web',
  'https://git.example/Acme/web.git',
  'https://git.example/Acme/web/',
  'https://git.example/Acme/web.git/',
  'https://GIT.Example:443/Acme/web',
  'https://git.example/acme/WEB',
  'https://git.example/ACME/web.git',
])('%s is', (url) => {
  expect(matchesRepository(repository, url)).toBe(true)
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
  expect(matchesRepository(repository, url)).toBe(false)
})

it('a repository without a secure address has none', () => {
  expect(matchesRepository({ ...repository, urls: [] }, repository.url)).toBe(false)
})
