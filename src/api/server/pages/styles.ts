/** The style sheet of all pages: light and dark, from a phone's width on. */

const light = `--text:#1c1f26;--dim:#5a6270;--line:#d5d9e0;--paper:#fff;
  --raised:#f5f6f8;--link:#1f4fc4;--alert:#a1161c;--on-link:#fff`
const dark = `--text:#e4e7ec;--dim:#9aa3b2;--line:#363c47;--paper:#14171c;
  --raised:#1d2128;--link:#8db2ff;--alert:#ff9b9b;--on-link:#10131a`

export const styles = `:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);font:1rem/1.55 system-ui,sans-serif}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;padding:.75rem 1rem;
  border-bottom:1px solid var(--line)}
header a{text-decoration:none}
header>a{font-weight:700;color:var(--text)}
main{max-width:46rem;margin:0 auto;padding:1rem 1rem 4rem;overflow-wrap:break-word}
h1{font-size:1.75rem;line-height:1.25;margin:1rem 0}
h2{font-size:1.25rem;margin:2rem 0 .5rem}
h3{font-size:1.05rem;margin:1.5rem 0 .5rem}
form{max-width:24rem}
label{display:block;margin-top:1rem}
input{display:block;width:100%;margin-top:.25rem;padding:.5rem;font:inherit;color:inherit;
  background:var(--paper);border:1px solid var(--dim);border-radius:.25rem}
input[type=checkbox]{display:inline;width:auto;margin:0 .35rem 0 0}
label+.dim{margin:.25rem 0 0}
progress{display:block;width:100%;margin-top:1rem}
[hidden]{display:none}
select{display:block;margin-top:.25rem;padding:.5rem;font:inherit}
input[readonly]{background:var(--raised)}
button{margin-top:1.25rem;padding:.5rem 1rem;font:inherit;color:var(--on-link);background:var(--link);
  border:1px solid var(--link);border-radius:.25rem;cursor:pointer}
button.plain{color:var(--link);background:none}
[role=alert]{color:var(--alert);font-weight:600}
.dim{color:var(--dim)}
code,pre{font:.875em/1.5 ui-monospace,monospace}
code{overflow-wrap:anywhere}
pre{padding:.75rem;overflow-x:auto;background:var(--raised);border:1px solid var(--line);border-radius:.25rem}
pre code{font-size:inherit;overflow-wrap:normal}
header nav a{margin-right:1rem}
header form{width:100%;max-width:none}
header input{margin:0;padding:.25rem .5rem}
.code{position:relative}
.code pre{padding-right:5rem}
.copy{position:absolute;top:.4rem;right:.4rem;margin:0;padding:.15rem .5rem;font-size:.8rem;
  color:var(--link);background:var(--paper)}
.hits li{padding:.35rem 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:.5rem 0}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
td code,th code{overflow-wrap:normal}
td{min-width:5rem}
summary{cursor:pointer;margin:.5rem 0}
section{border-top:1px solid var(--line);margin-top:2.5rem}
section.event,#objects~section{margin-top:1rem}
section.event details{margin-left:1rem}
.fields{list-style:none;padding:0;margin:.5rem 0}
.fields .fields{padding-left:1rem;border-left:2px solid var(--line)}
.fields li{padding:.35rem 0}
.fields>li>code{font-weight:600}
.fields b{font-weight:600;color:var(--text)}
.calls{list-style:none;padding:0}
.calls li{padding:.2rem 0}
#contents h2{font-size:.85rem;text-transform:uppercase;letter-spacing:.05em;color:var(--dim);
  margin:1.25rem 0 .25rem}
#contents ul{list-style:none;margin:0;padding:0}
#contents li a{display:block;padding:.3rem 0;text-decoration:none}
#contents [aria-current]{font-weight:700;color:var(--text)}
.docs #contents{padding:0 1rem 3rem;border-top:1px solid var(--line)}
@media(min-width:60rem){
header form{margin-left:auto;max-width:14rem}
.docs{display:grid;grid-template:auto 1fr/16rem minmax(0,1fr)}
.docs header{grid-column:1/3}
.docs #contents{grid-area:2/1;border:0;border-right:1px solid var(--line);padding:0 1rem 3rem;
  position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto}
.docs main{grid-area:2/2;margin:0;padding-left:2rem;max-width:52rem;width:100%}
.narrow{display:none}
}
[id]{scroll-margin-top:1rem}`
