import { expect, it } from 'vitest'
import { repositoryAddress } from '../../../src/cli/deploy/repository-address.ts'

it.each([
  ['https://github.com/team/site.git', 'https://github.com/team/site'],
  ['https://user:token@gitlab.example.com/group/sub/site.git', 'https://gitlab.example.com/group/sub/site'],
  ['https://token@example.com/site', 'https://example.com/site'],
  ['http://example.com/team/site/', 'https://example.com/team/site'],
  ['https://example.com:8443/team/site.git', 'https://example.com:8443/team/site'],
  ['https://example.com/team/site.git?private_token=x#y', 'https://example.com/team/site'],
  ['git@github.com:team/site.git', 'https://github.com/team/site'],
  ['example.com:site', 'https://example.com/site'],
  ['deploy@example.com:/srv/git/site.git', 'https://example.com/srv/git/site'],
  ['ssh://git@example.com/team/site.git', 'https://example.com/team/site'],
  ['ssh://git:secret@example.com:2222/team/site', 'https://example.com/team/site'],
  ['git://example.com/site.git', 'https://example.com/site'],
  ['org-1234@github.com:org/site.git', 'https://github.com/org/site'],
  ['https://dev.azure.com/org/my%20project/_git/site', 'https://dev.azure.com/org/my%20project/_git/site'],
  ['git@[2001:db8::1]:site', undefined],
  ['/srv/git/site.git', undefined],
  ['../site', undefined],
  ['file:///srv/git/site.git', undefined],
  ['C:\\git\\site', undefined],
  ['C:/git/site', undefined],
  ['https://example.com', undefined],
  ['ext::sh -c whoami', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('%j is %j', (remote, address) => {
  expect(repositoryAddress(remote)).toBe(address)
})
