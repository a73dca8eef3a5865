// An application that does what the body of a request says, as a program of its tenant could do.
const http = require('node:http')

// The names that what is sent may use.
const given = {
  fs: require('node:fs'),
  net: require('node:net'),
  run: require('node:child_process'),
  inspector: require('node:inspector'),
  v8: require('node:v8'),
}
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor

async function evaluate(script) {
  try {
    return await new AsyncFunction(...Object.keys(given), script)(...Object.values(given))
  } catch (error) {
    return { thrown: error.code ?? error.message }
  }
}

async function answer(request, response) {
  let body = ''
  for await (const text of request.setEncoding('utf8')) body += text
  if (request.method === 'POST') return response.end(JSON.stringify(await evaluate(body)) ?? 'null')
  // What a cookie for the names beside it would do.
  response.setHeader('set-cookie', ['own=1', 'all=1; Domain=localhost', 'svc_visit=1'])
  response.end(JSON.stringify({ url: request.url, fields: request.rawHeaders, pid: process.pid }))
}

http.createServer(answer).listen(process.env.PORT)
