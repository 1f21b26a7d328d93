// A network of people (or of whatever a query returns) as SVG: a force layout that gives the same picture for the same
// data, hover, click, and the keyboard. Texts come from strangers' mail: they are set as text, never as HTML.
const SVG = 'http://www.w3.org/2000/svg';
const SPRING = 1, GRAVITY = 0.035, ROUNDS = 320, BADGE = 17;

function make(tag, attributes, parent) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent?.append(made);
  return made;
}

// Places of the nodes around (0, 0) in units of one spring: Fruchterman and Reingold (1991), with gravity. New nodes
// begin on a spiral around the node they hang on, known ones where they were, so that an expansion moves little.
function layout(nodes, edges, known) {
  const at = new Map(nodes.map((node, i) => {
    if (known.has(node.id)) return [node.id, { ...known.get(node.id) }];
    const tie = edges.find(e => (e.a === node.id && known.has(e.b)) || (e.b === node.id && known.has(e.a)));
    const from = tie ? known.get(tie.a === node.id ? tie.b : tie.a) : { x: 0, y: 0 };
    const turn = i * 2.39996, far = 0.35 * Math.sqrt(i + 1);
    return [node.id, { x: from.x + far * Math.cos(turn), y: from.y + far * Math.sin(turn) }];
  }));
  const fresh = nodes.filter(node => !known.has(node.id)).length;
  const rounds = fresh ? ROUNDS : 0, places = [...at.values()];
  const springs = edges.map(e => [at.get(e.a), at.get(e.b), e.pull ?? 1]).filter(([a, b]) => a && b);
  for (let round = 0; round < rounds; round++) {
    const warmth = 0.35 * (1 - round / rounds) * (known.size ? 0.5 : 1) + 0.002;
    for (const p of places) { p.dx = -p.x * GRAVITY * 6; p.dy = -p.y * GRAVITY * 6; }
    for (let i = 0; i < places.length; i++) for (let j = i + 1; j < places.length; j++) {
      const a = places[i], b = places[j], x = a.x - b.x, y = a.y - b.y, far = Math.max(0.0025, x * x + y * y);
      const push = SPRING / far;
      a.dx += x * push; a.dy += y * push; b.dx -= x * push; b.dy -= y * push;
    }
    for (const [a, b, pull] of springs) {
      const x = a.x - b.x, y = a.y - b.y, force = pull * Math.hypot(x, y) / SPRING;
      a.dx -= x * force; a.dy -= y * force; b.dx += x * force; b.dy += y * force;
    }
    for (const p of places) {
      const long = Math.hypot(p.dx, p.dy) || 1, step = Math.min(long, warmth * 2);
      p.x += p.dx / long * step; p.y += p.dy / long * step;
    }
  }
  return at;
}

// From units to pixels: the picture fills the box, stretched to its shape; then circles that overlap are moved apart.
function fit(nodes, at, width, height, zoom, shift) {
  const xs = nodes.map(n => at.get(n.id).x), ys = nodes.map(n => at.get(n.id).y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const margin = { x: Math.min(64, width / 7), y: 40 };
  const scale = (value, low, high, size, edge) =>
    high - low < 1e-6 ? size / 2 : edge + (value - low) / (high - low) * (size - 2 * edge);
  const places = nodes.map(node => ({
    node, x: scale(at.get(node.id).x, left, right, width, margin.x), y: scale(at.get(node.id).y, top, bottom, height, margin.y),
  }));
  for (let round = 0; round < 24; round++) for (let i = 0; i < places.length; i++) for (let j = i + 1; j < places.length; j++) {
    const a = places[i], b = places[j], x = b.x - a.x || 0.1, y = b.y - a.y || 0.1, far = Math.hypot(x, y);
    const lacking = a.node.r + b.node.r + 9 - far;
    if (lacking > 0) {
      const [px, py] = [x / far * lacking / 2, y / far * lacking / 2];
      a.x -= px; a.y -= py; b.x += px; b.y += py;
    }
  }
  for (const p of places) {
    p.x = Math.min(width - p.node.r - 4, Math.max(p.node.r + 4, p.x));
    p.y = Math.min(height - p.node.r - 18, Math.max(p.node.r + 4, p.y));
    p.x = width / 2 + (p.x - width / 2) * zoom + shift.x;
    p.y = height / 2 + (p.y - height / 2) * zoom + shift.y;
  }
  return new Map(places.map(p => [p.node.id, p]));
}

// Of labels that would lie on each other only the more important one is shown; the other ones on hover and on focus.
// Those in front are shown in any case.
function declutter(order, places) {
  const taken = [...places.values()].map(p => [p.x - p.node.r, p.y - p.node.r, p.x + p.node.r, p.y + p.node.r, p]);
  return new Set(order.filter(node => {
    const p = places.get(node.id), half = node.label.length * 3.25 + 2, y = p.y + node.r + 2;
    const box = [p.x - half, y, p.x + half, y + 13];
    const free = !taken.some(t => t[4] !== p && box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3]);
    if (free || node.front) taken.push([...box, null]);
    return free || node.front;
  }).map(node => node.id));
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector('.net');
  const kept = (root.kept ??= { known: new Map(), zoom: 1, shift: { x: 0, y: 0 }, focus: null });
  // on a narrow screen circles are smaller, or they would cover each other
  const narrow = root.clientWidth < 600;
  const nodes = narrow ? data.nodes.map(node => ({ ...node, r: 0.65 * node.r + 1 })) : data.nodes;
  const { edges } = data, tell = what => setTriggerValue('picked', what);
  if (kept.centre !== data.centre) Object.assign(kept, { known: new Map(), zoom: 1, shift: { x: 0, y: 0 }, centre: data.centre });
  const at = layout(nodes, edges, kept.known);
  kept.known = at;
  const order = [...nodes].sort((a, b) => (b.front ?? 0) - (a.front ?? 0) || b.r - a.r);
  const status = root.querySelector('.status'), shelf = root.querySelector('svg');
  const beside = new Map(nodes.map(node => [node.id, new Set([node.id])]));
  for (const e of edges) { beside.get(e.a)?.add(e.b); beside.get(e.b)?.add(e.a); }
  let drawn = new Map(), places = new Map();

  function draw() {
    const width = root.clientWidth, height = width < 600 ? 430 : data.height;
    if (!width) return;
    shelf.setAttribute('width', width); shelf.setAttribute('height', height);
    shelf.setAttribute('aria-label', data.title);
    const hadFocus = shelf.contains(parentElement.activeElement ?? document.activeElement);
    shelf.replaceChildren();
    places = fit(nodes, at, width, height, kept.zoom, kept.shift);
    const named = declutter(order, places);
    const lines = make('g', {}, shelf), dots = make('g', {}, shelf);
    drawn = new Map();
    const tied = [];
    for (const e of edges) {
      const a = places.get(e.a), b = places.get(e.b);
      if (!a || !b) continue;
      const id = `${e.a}-${e.b}`, line = { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
      const group = make('g', { class: `edge ${e.faint ? 'faint' : ''} ${e.strong ? 'strong' : ''} ${data.selected === id ? 'chosen' : ''}` }, lines);
      make('line', { ...line, 'stroke-width': e.width }, group);
      const wide = make('line', { ...line, class: 'wide' }, group);
      wide.onclick = () => tell(`edge:${id}`);
      wide.onpointerenter = () => { status.textContent = e.text; group.classList.add('hot'); };
      wide.onpointerleave = () => { status.textContent = data.hint; group.classList.remove('hot'); };
      tied.push([e, group]);
    }
    const hot = id => {
      for (const [e, group] of tied) group.classList.toggle('hot', e.a === id || e.b === id);
      for (const [other, group] of drawn) group.classList.toggle('dim', id !== null && !beside.get(id).has(other));
      status.textContent = id === null ? data.hint : nodes.find(node => node.id === id).text;
    };
    for (const node of [...order].reverse()) {
      const { x, y } = places.get(node.id), chosen = data.selected === node.id;
      const group = make('g', {
        class: `node c${node.colour} ${node.id === data.centre ? 'centre' : ''} ${chosen ? 'chosen' : ''} ${named.has(node.id) ? '' : 'quiet'}`,
        role: 'button', 'aria-label': node.text, 'aria-pressed': chosen, tabindex: -1,
        transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
      }, dots);
      make('circle', { class: 'halo', r: node.r + 4 }, group);
      if (node.square) make('rect', { class: 'dot', x: -node.r, y: -node.r, width: 2 * node.r, height: 2 * node.r, rx: 3 }, group);
      else make('circle', { class: 'dot', r: node.r }, group);
      make('text', { y: node.r + 12, 'text-anchor': 'middle' }, group).textContent = node.label;
      if (node.more) {
        const badge = make('g', { class: 'badge', transform: `translate(${node.r * 0.7 + 8},${-node.r * 0.7 - 8})` }, group);
        const text = `+${node.more.toLocaleString('en')}`, half = text.length * 3.3 + 5;
        make('rect', { x: -half, y: -BADGE / 2, width: 2 * half, height: BADGE, rx: BADGE / 2 }, badge);
        make('text', { y: 4, 'text-anchor': 'middle' }, badge).textContent = text;
        badge.onclick = event => { event.stopPropagation(); tell(`more:${node.id}`); };
      }
      group.onclick = () => { kept.focus = node.id; tell(`node:${node.id}`); };
      group.onpointerenter = () => hot(node.id);
      group.onfocus = () => { stop(node.id); hot(node.id); };
      group.onpointerleave = group.onblur = () => hot(null);
      drawn.set(node.id, group);
    }
    if (!drawn.has(kept.focus)) kept.focus = drawn.has(data.selected) ? data.selected : nodes[0]?.id ?? null;
    drawn.get(kept.focus)?.setAttribute('tabindex', 0);
    status.textContent = data.hint;
    if (hadFocus) drawn.get(kept.focus)?.focus({ preventScroll: true });
  }

  // The one node at which Tab stops.
  function stop(id) {
    drawn.get(kept.focus)?.setAttribute('tabindex', -1);
    drawn.get(id)?.setAttribute('tabindex', 0);
    kept.focus = id;
  }

  // The nearest node in the direction of the arrow; what lies askew counts as further away.
  function towards(dx, dy) {
    const from = places.get(kept.focus);
    let best = null, least = Infinity;
    for (const [id, p] of places) {
      const x = p.x - from.x, y = p.y - from.y, ahead = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
      if (id !== kept.focus && ahead > 2 && ahead + 2.5 * aside < least) { best = id; least = ahead + 2.5 * aside; }
    }
    if (best !== null) drawn.get(best).focus({ preventScroll: true });
  }

  shelf.onkeydown = event => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow) towards(...arrow);
    else if (event.key === 'Home') drawn.get(nodes[0].id).focus({ preventScroll: true });
    else if (event.key === 'Enter' || event.key === ' ') tell(`node:${kept.focus}`);
    else if (event.key === '+' && nodes.find(node => node.id === kept.focus)?.more) tell(`more:${kept.focus}`);
    else return;
    event.preventDefault();
  };
  shelf.onpointerdown = event => {
    if (event.target !== shelf || kept.zoom === 1) return;
    const begun = { x: event.clientX - kept.shift.x, y: event.clientY - kept.shift.y };
    shelf.setPointerCapture(event.pointerId);
    shelf.onpointermove = now => { kept.shift = { x: now.clientX - begun.x, y: now.clientY - begun.y }; draw(); };
    shelf.onpointerup = shelf.onpointercancel = () => { shelf.onpointermove = null; };
  };
  const zooms = { in: 1.4, out: 1 / 1.4, all: 0 };
  for (const button of root.querySelectorAll('[data-zoom]')) button.onclick = () => {
    const times = zooms[button.dataset.zoom], before = kept.zoom;
    kept.zoom = times ? Math.min(6, Math.max(1, before * times)) : 1;
    const grown = kept.zoom / before;
    kept.shift = kept.zoom === 1 ? { x: 0, y: 0 } : { x: kept.shift.x * grown, y: kept.shift.y * grown };
    draw();
  };
  draw();
  const watch = new ResizeObserver(() => { if (shelf.getAttribute('width') !== String(root.clientWidth)) draw(); });
  watch.observe(root);
  return () => watch.disconnect();
}
