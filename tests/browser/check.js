// What is wrong with the layout of the page that is open: a list of sentences, each of which begins with
// the kind of the fault. Runs in the browser.
(() => {
  const faults = [];
  const say = (kind, text) => faults.push(`${kind}: ${text}`);
  const name = (node) => JSON.stringify((node.textContent || "").trim().replace(/\s+/g, " ").slice(0, 50));
  const width = document.documentElement.clientWidth;
  const scrolls = (element) => element.closest(".scroll, pre");
  const isShown = (element) => element.checkVisibility();

  // Nothing is wider than the window.
  if (document.documentElement.scrollWidth > width + 1) {
    say("overflow", `the page is ${document.documentElement.scrollWidth} wide in a window of ${width}`);
  }

  // Every line of text, without the air above and below its letters.
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("svg, style, script") || !isShown(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1) continue;
      const air = box.height / 4;
      lines.push({ node, left: box.left, right: box.right, top: box.top + air, bottom: box.bottom - air });
      const holder = scrolls(parent);
      if (!holder && (box.right > width + 1 || box.left < -1)) say("overflow", `${name(node)} leaves the window`);
      if (!holder) continue;
      // What scrolls sideways must not be cut off above or below.
      const outer = holder.getBoundingClientRect();
      if (box.top + air < outer.top || box.bottom - air > outer.bottom) say("overflow", `${name(node)} is cut off`);
    }
  }
  const meet = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1.5;
  const pairs = (boxes, tell) => {
    boxes.sort((one, other) => one.top - other.top);
    boxes.forEach((one, index) => {
      for (const other of boxes.slice(index + 1)) {
        if (other.top > one.bottom) break;
        if (one.node !== other.node && meet(one, other)) tell(one, other);
      }
    });
  };
  pairs(lines, (one, other) => say("overlap", `${name(one.node)} and ${name(other.node)}`));

  // A table that scrolls says so.
  for (const box of document.querySelectorAll(".scroll")) {
    const hint = box.previousElementSibling;
    const has = hint && hint.matches(".hint") && isShown(hint);
    if (box.scrollWidth > box.clientWidth + 1 && !has) {
      say("hint", `the table ${name(box)} scrolls at ${width} and does not say so`);
    }
  }

  for (const box of document.querySelectorAll("pre")) {
    if (box.scrollWidth > box.clientWidth + 1) say("hint", `the line ${name(box)} is cut at ${width}`);
  }

  // Figures: labels within them, apart from each other, and crossed by nothing.
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    const labels = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim()).map((node) => {
      const box = node.getBoundingClientRect();
      const air = box.height / 4;
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top + air < frame.top - 1 || box.bottom - air > frame.bottom + 1) {
        say("overflow", `the label ${name(node)} leaves its figure`);
      }
      return { node, left: box.left, right: box.right, top: box.top + air, bottom: box.bottom - air };
    });
    pairs(labels, (one, other) => say("overlap", `the labels ${name(one.node)} and ${name(other.node)}`));
    for (const shape of svg.querySelectorAll("polyline, line, path, circle, polygon")) {
      const length = shape.getTotalLength(), matrix = shape.getScreenCTM();
      const steps = Math.max(1, Math.ceil(length / 2));
      const crossed = new Set();
      for (let step = 0; step <= steps; step += 1) {
        const at = shape.getPointAtLength((length * step) / steps).matrixTransform(matrix);
        for (const label of labels) {
          if (at.x > label.left && at.x < label.right && at.y > label.top && at.y < label.bottom) crossed.add(label);
        }
      }
      for (const label of crossed) say("crossed", `the label ${name(label.node)} by a ${shape.tagName}`);
    }
  }

  // On a wide page the right third is used: no long stretch of it is empty.
  const main = document.querySelector("main");
  if (width >= 1200 && main) {
    const area = main.getBoundingClientRect();
    const from = area.left + (2 / 3) * area.width;
    const used = [...lines, ...[...document.querySelectorAll("svg, pre, .tiles > div, .scroll")].map((box) => box.getBoundingClientRect())];
    const beyond = used.filter((box) => box.right > from + 20).sort((one, other) => one.top - other.top);
    let end = area.top;
    for (const box of [...beyond, { top: area.bottom, bottom: area.bottom }]) {
      if (box.top - end > 600) say("empty", `the right third is empty for ${Math.round(box.top - end)} pixels, ${Math.round(end)} below the top`);
      end = Math.max(end, box.bottom);
    }
  }

  // Text stands out from its ground (WCAG's contrast of large text at least).
  const light = ([red, green, blue]) => {
    const linear = [red, green, blue].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const numbers = (colour) => (colour.match(/[\d.]+/g) || []).map(Number);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const told = new Set();
  for (const element of [...lines.map((line) => line.node.parentElement), ...document.querySelectorAll("svg text")]) {
    const style = getComputedStyle(element);
    const colour = numbers(element.closest("svg") ? style.fill : style.color);
    const [low, high] = [light(colour), light(ground(element))].sort((one, other) => one - other);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 3 && !told.has(style.color)) {
      told.add(style.color);
      say("contrast", `${name(element)} has ${contrast.toFixed(1)} to its ground`);
    }
  }
  return [...new Set(faults)];
})();
