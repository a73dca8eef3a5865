import { expect, it } from 'vitest'
import { branchLabel } from '../../../src/platform/projects/branch-label.ts'

it.each([
  ['next', 'web-git-next'],
  ['fix-12', 'web-git-fix-12'],
])('the branch %s, which is a label as it is, has the label %s', (branch, label) => {
  expect(branchLabel('web', branch)).toBe(label)
})

it.each([
  ['feature/a', /^web-git-feature-a-[0-9a-f]{6}$/],
  ['Next', /^web-git-next-[0-9a-f]{6}$/],
  ['a__b', /^web-git-a-b-[0-9a-f]{6}$/],
  ['-a-', /^web-git-a-[0-9a-f]{6}$/],
  ['../../x', /^web-git-x-[0-9a-f]{6}$/],
  ['grün', /^web-git-gr-n-[0-9a-f]{6}$/],
  ['🚀'.repeat(60), /^web-git-[0-9a-f]{6}$/],
  ['x'.repeat(250), /^web-git-x{48}-[0-9a-f]{6}$/],
  [`${'x'.repeat(47)}-${'y'.repeat(20)}`, /^web-git-x{47}-[0-9a-f]{6}$/],
])('the branch %s, which has to be changed, has digits of its own at the end', (branch, label) => {
  expect(branchLabel('web', branch)).toMatch(label)
})

it('branches whose names come down to the same have different labels', () => {
  const names = [
    'a-b',
    'a/b',
    'a_b',
    'A-B',
    'a--b',
    '-a-b',
    '🚀',
    '🔥',
    `${'x'.repeat(70)}1`,
    `${'x'.repeat(70)}2`,
  ]
  expect(new Set(names.map((name) => branchLabel('web', name))).size).toBe(names.length)
})

it('a label is one of DNS, however long the name of the project is', () => {
  const project = `${'p'.repeat(39)}1`
  expect(branchLabel(project, 'y'.repeat(40))).toMatch(/^p{39}1-git-y{11}-[0-9a-f]{6}$/)
  expect(branchLabel(project, 'y'.repeat(18))).toBe(`${project}-git-${'y'.repeat(18)}`)
})
