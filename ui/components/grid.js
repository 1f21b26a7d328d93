// Counts in rows and columns, as bars (one row) or as a heat map: dragging over cells chooses them, and so does the
// keyboard. Everything shown is a number or a word of this program.
const SVG = 'http://www.w3.org/2000/svg';

function make(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.grid'), shelf = root.querySelector('svg'), status = root.querySelector('.status');
  const { values, rows, columns, height, heat } = data;
  const kept = (root.kept ??= { row: 0, column: 0 });
  kept.row = Math.min(kept.row, rows.length - 1); kept.column = Math.min(kept.column, columns.length - 1);
  const most = Math.max(1, ...values.flat());
  const left = heat ? 38 : 4, bottom = 20, gap = heat ? 2 : columns.length > 90 ? 0.5 : 1.5;
  let box = null, cells = [], drag = null, frame = null;

  const whole = ([c0, c1, r0, r1]) => c0 === 0 && r0 === 0 && c1 === columns.length - 1 && r1 === rows.length - 1;
  const within = (range, c, r) => !range || (c >= range[0] && c <= range[1] && r >= range[2] && r <= range[3]);
  const span = (a, b) => [Math.min(a.column, b.column), Math.max(a.column, b.column), Math.min(a.row, b.row), Math.max(a.row, b.row)];
  const words = (c, r) => `${[rows[r], data.long?.[c] ?? columns[c]].filter(Boolean).join(' ')}: ${values[r][c].toLocaleString('en')} ${values[r][c] === 1 ? 'message' : 'messages'}`;
  const said = range => {
    let n = 0;
    for (let r = range[2]; r <= range[3]; r++) for (let c = range[0]; c <= range[1]; c++) n += values[r][c];
    const name = (list, a, b) => a === b ? list[a] : `${list[a]} to ${list[b]}`;
    return `${[name(rows, range[2], range[3]), name(data.long ?? columns, range[0], range[1])].filter(Boolean).join(', ')}: ${n.toLocaleString('en')}`;
  };
  // The same choice a second time takes it back.
  const choose = range => setTriggerValue('brushed', whole(range) || String(range) === String(data.selected) ? '' : range.join(','));

  function outline(range) {
    frame?.remove();
    frame = null;
    if (!range) return;
    const x = left + range[0] * box.w, y = range[2] * box.h;
    frame = make('rect', { class: 'frame', x: x + 0.5, y: y + 0.5, width: (range[1] - range[0] + 1) * box.w - 1, height: (range[3] - range[2] + 1) * box.h - 1, rx: 4 }, shelf);
  }

  function draw() {
    const width = root.clientWidth;
    if (!width) return;
    const hadFocus = shelf.contains(parentElement.activeElement);
    box = { w: (width - left - 4) / columns.length, h: (height - bottom) / rows.length };
    shelf.setAttribute('width', width); shelf.setAttribute('height', height); shelf.setAttribute('aria-label', data.title);
    shelf.replaceChildren();
    cells = values.map((line, r) => line.map((n, c) => {
      const chosen = within(data.selected, c, r);
      const group = make('g', { class: `cell ${chosen ? '' : 'out'}`, role: 'button', tabindex: -1, 'aria-label': words(c, r), 'aria-pressed': Boolean(data.selected) && chosen }, shelf);
      const x = left + c * box.w, y = r * box.h;
      make('rect', { class: 'catch', x, y, width: box.w, height: box.h }, group);
      const tall = heat ? box.h - gap : n ? Math.max(2, n / most * (box.h - 6)) : 0;
      const shape = make('rect', { class: n ? 'fill' : 'none', x: x + gap / 2, y: heat ? y + gap / 2 : y + box.h - tall, width: Math.max(0.5, box.w - gap), height: tall, rx: heat ? 3 : 1.5 }, group);
      if (heat && n) shape.setAttribute('fill-opacity', (0.12 + 0.88 * Math.sqrt(n / most)).toFixed(3));
      group.onpointerenter = () => { if (!drag) status.textContent = words(c, r); };
      group.onfocus = () => {
        cells[kept.row][kept.column].setAttribute('tabindex', -1);
        group.setAttribute('tabindex', 0);
        Object.assign(kept, { row: r, column: c });
        status.textContent = words(c, r);
      };
      return group;
    }));
    const every = Math.ceil(columns.length / Math.max(1, Math.floor((width - left) / data.apart)));
    columns.forEach((name, c) => {
      if (c % every || (c && c + every > columns.length && box.w * (columns.length - c) < data.apart / 2)) return;
      make('text', { class: 'axis', x: left + (heat ? (c + 0.5) * box.w : c * box.w + 1), y: height - 5, 'text-anchor': heat ? 'middle' : 'start' }, shelf).textContent = name;
    });
    if (heat) rows.forEach((name, r) => { make('text', { class: 'axis', x: 0, y: (r + 0.5) * box.h + 4 }, shelf).textContent = name.slice(0, 3); });
    outline(data.selected);
    cells[kept.row][kept.column].setAttribute('tabindex', 0);
    if (hadFocus) cells[kept.row][kept.column].focus({ preventScroll: true });
    status.textContent = data.selected ? said(data.selected) : data.hint;
  }

  const at = event => {
    const place = shelf.getBoundingClientRect();
    const limit = (value, n) => Math.max(0, Math.min(n - 1, Math.floor(value)));
    return { column: limit((event.clientX - place.left - left) / box.w, columns.length), row: limit((event.clientY - place.top) / box.h, rows.length) };
  };
  shelf.onpointerdown = event => {
    if (event.button) return;
    drag = { from: at(event), to: at(event) };
    shelf.setPointerCapture(event.pointerId);
    outline(span(drag.from, drag.to));
  };
  shelf.onpointermove = event => {
    if (!drag) return;
    drag.to = at(event);
    outline(span(drag.from, drag.to));
    status.textContent = said(span(drag.from, drag.to));
  };
  shelf.onpointerup = () => { if (drag) { const range = span(drag.from, drag.to); drag = null; choose(range); } };
  shelf.onpointercancel = () => { drag = null; outline(data.selected); };
  shelf.onpointerleave = () => { if (!drag) status.textContent = data.selected ? said(data.selected) : data.hint; };
  shelf.onkeydown = event => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow) {
      const before = { row: kept.row, column: kept.column };
      const column = Math.max(0, Math.min(columns.length - 1, kept.column + arrow[0]));
      const row = Math.max(0, Math.min(rows.length - 1, kept.row + arrow[1]));
      cells[row][column].focus({ preventScroll: true });
      kept.from = event.shiftKey ? kept.from ?? before : null;
      outline(kept.from ? span(kept.from, kept) : data.selected);
      if (kept.from) status.textContent = said(span(kept.from, kept));
    } else if (event.key === 'Enter' || event.key === ' ') {
      choose(span(kept.from ?? kept, kept));
      kept.from = null;
    } else if (event.key === 'Escape') {
      kept.from = null;
      setTriggerValue('brushed', '');
    } else return;
    event.preventDefault();
  };
  draw();
  const watch = new ResizeObserver(() => { if (shelf.getAttribute('width') !== String(root.clientWidth)) draw(); });
  watch.observe(root);
  return () => watch.disconnect();
}
