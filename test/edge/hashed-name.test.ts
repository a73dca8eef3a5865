/** Which file names contain a hash of their content. */
import { describe, expect, it } from 'vitest'
import { isHashedName } from '../../src/edge/hashed-name.ts'

describe('a hash', () => {
  it.each([
    // webpack, Next.js, Parcel
    'static/js/main.3f2a1b4c.js',
    'static/js/main.3f2a1b4c.chunk.js',
    'static/js/main.3f2a1b4c.chunk.js.map',
    'static/media/logo.6ce24c58023cc2f8fd88.svg',
    'static/css/main.e6c13ad2.css',
    '_next/static/chunks/webpack-4c8a1b2d9e0f1a2b.js',
    '_next/static/chunks/1dd3208c-3a1b5e0d9c8b7a6f.js',
    'index.1a2b3c4d.css',
    'runtime~main.9a8b7c6d.js',
    'app_1a2b3c4d.mjs',
    // Vite, Rollup
    'assets/index-BdQ3mSxk.js',
    'assets/index-D3k1a9Xz.css',
    '_astro/hoisted.CZ0y7F3q.js',
    '_app/immutable/entry/start.B3dG1aXz.js',
    'assets/inter-latin-wght-B2dQ7xZ1.woff2',
    // esbuild
    'main-5XKJ2HPF.js',
    'chunk-A5BCD3EF.js',
    'chunk-7XKJ2HPF.js.map',
  ])('%s', (path) => expect(isHashedName(path)).toBe(true))
})

describe('no hash', () => {
  it.each([
    '',
    'index.html',
    'about-3f2a1b4c.html',
    'about-3f2a1b4c.HTML',
    'style.css',
    'LICENSE',
    'main-3f2a1b4c',
    '.3f2a1b4c',
    '3f2a1b4c5d6e7f80.js',
    'BdQ3mSxk.js',
    'jquery-3.7.1.min.js',
    'jquery-3.7.1.slim.min.js',
    'bootstrap-5.3.0-alpha1.css',
    'report-20240101.pdf',
    'report-20240101a.pdf',
    'backup-a20240101b.json',
    'photo-1699999999999.jpg',
    'my-component.js',
    'my_component_test.js',
    'page-MyWidget.js',
    'page-myWidget.js',
    'page-DiwrgTda.js',
    'intro-Chapter2.js',
    'vendor-bootstrap5.js',
    'case-iPhone15.png',
    'page-Vue3Test.js',
    'logo-Web3Auth.png',
    'page-Html5Api.js',
    'lib-Base64Js.js',
    'how-mp4ToGif.js',
    'page-Step1Of3.js',
    'IMG-IMG20231.jpg',
    'logo-WEB3AUTH.png',
    'codec-H264MAIN.js',
    'page-CHAPTER2.js',
    'page-DOCUMENT.js',
    'talk-face2face.mp4',
    'color-deadbeef.png',
    'color-00000000.png',
    'palette-decade80.css',
    'item-550e8400-e29b-41d4-a716-44665544abcd.json',
    'my-Wid3t_x9.js',
    'a-1a2b3c4.js',
    'a.1a2b3c4d/style.css',
    'v1.2.3/app.js',
    'data-12345678.json',
    'de1e7ed0.txt',
  ])('%s', (path) => expect(isHashedName(path)).toBe(false))
})
