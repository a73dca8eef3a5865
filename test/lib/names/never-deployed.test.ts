/** What macOS adds is known by its name, wherever it lies. */
import { describe, expect, it } from 'vitest'
import { isAddedByMacos, isNeverDeployed } from '../../../src/lib/names/never-deployed.ts'

const added = ['._index.html', '._.htaccess', '.__a', '._.', '._', '.DS_Store', '.ds_store']

describe('a file or folder is never deployed', () => {
  const ofDisks = ['.AppleDouble', '.Trashes', '.fseventsd', '.Spotlight-V100']
  const ofWindows = ['Thumbs.db', 'ehthumbs.db', 'desktop.ini', 'Desktop.ini']

  it.each([...added, ...ofDisks, ...ofWindows, '__MACOSX', '__macosx', '__MACOSX. '])('as %j', (name) => {
    expect(isNeverDeployed(name)).toBe(true)
  })

  it.each(['_index.html', 'a._b', '.well-known', '__MACOSX.html', 'macosx', '_', 'desktop.html'])(
    'but as %j',
    (name) => {
      expect(isNeverDeployed(name)).toBe(false)
    },
  )
})

describe('an entry of an archive is what macOS adds', () => {
  it.each([...added, ...added.map((name) => `a/${name}`), '__MACOSX/a/b.html', 'site/__MACOSX/._a'])(
    'at %j',
    (path) => expect(isAddedByMacos(path)).toBe(true),
  )

  it.each(['index.html', '._a/b.html', '.env', 'a__MACOSX/b', '__MACOSX.html'])('but not at %j', (path) => {
    expect(isAddedByMacos(path)).toBe(false)
  })
})
