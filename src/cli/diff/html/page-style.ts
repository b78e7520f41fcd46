/** How the page looks. It is named by its hash in the policy of the page, which allows nothing else. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2128; --soft: #59636e; --paper: #fff; --card: #f6f8fa; --line: #d1d9e0;
  --a: #0b6bcb; --b: #9a5b00; --user: #0b7285; --assistant: #2b7a3d; --tool: #8a6100; --bad: #c4262e; --same: #eef1f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #dce3ea; --soft: #93a1af; --paper: #0f141a; --card: #171d25;
  --line: #303a46; --a: #6cb6ff; --b: #e0a84c; --user: #4fc3d9; --assistant: #6fcf85; --tool: #d9b44a; --bad: #ff7b72;
  --same: #1a222c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 110rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.1rem; margin: 0 0 1rem; color: var(--soft); font-weight: 600; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
h3 { font-size: .85rem; margin: 0; font-weight: 600; }
h3 small, .facts { color: var(--soft); font-weight: 400; }
code, .id { font: .85em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.id { overflow-wrap: anywhere; }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; }
.side { background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--a); border-radius: 6px; padding: .75rem 1rem; }
.side.b { border-top-color: var(--b); }
.side strong { font-size: 1.15rem; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.letter { color: var(--a); margin-right: .4rem; } .b .letter, .letter.b { color: var(--b); }
.shared { margin: 1rem 0 0; padding: .6rem 1rem; border: 1px dashed var(--line); border-radius: 6px; text-align: center; color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .75rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
th[scope=row] { font-weight: 400; color: var(--soft); white-space: nowrap; width: 1%; }
ul { list-style: none; margin: 0; padding: 0; }
.files li, .decisions li { padding: .15rem 0; overflow-wrap: anywhere; }
.tag { display: inline-block; min-width: 6.5rem; color: var(--soft); font-size: .85em; }
.both .tag, .both code { color: var(--bad); font-weight: 600; }
.stretch { margin-top: .75rem; align-items: start; }
.column { display: grid; gap: .5rem; border-left: 3px solid var(--a); padding-left: .75rem; min-height: 1px; }
.column.b { border-left-color: var(--b); }
.column:empty { border-left-color: transparent; }
.item { padding: .4rem 0; min-width: 0; }
.item.user h3 { color: var(--user); } .item.assistant h3 { color: var(--assistant); } .item.tool h3 { color: var(--tool); }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; margin: .15rem 0 0; }
details > summary { cursor: pointer; color: var(--soft); font-size: .9em; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid var(--a); outline-offset: 2px; }
.calls li { padding: .1rem 0 .1rem 1rem; overflow-wrap: anywhere; }
.failed { color: var(--bad); } .said { display: block; color: var(--soft); padding-left: 1rem; }
.same { margin-top: .75rem; background: var(--same); border-radius: 6px; padding: .4rem 1rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .85em; }
@media (max-width: 50rem) { .pair { grid-template-columns: minmax(0, 1fr); } body { padding: 1rem; } }
@media print { body { max-width: none; } .item { break-inside: avoid; } }
`;
