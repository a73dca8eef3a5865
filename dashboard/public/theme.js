// Before the first paint, so that a page never flashes in the other theme.
{
  const stored = localStorage.getItem('theme')
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}
