/** The script of the pages below `/docs`, which work without it: buttons that copy, and a key to search. */

/** `navigator.clipboard` exists on https and localhost only. */
export const pageScript = `
for (const pre of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const button = document.createElement('button')
  button.className = 'copy'
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent.replace(/\\n$/, ''))
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  pre.replaceWith(frame)
  frame.append(pre, button)
}
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (key !== '/' || ctrlKey || metaKey || altKey || target.closest('input,textarea')) return
  event.preventDefault()
  document.querySelector('input[type=search]').focus()
})
`
