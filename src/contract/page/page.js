"use strict";
const id = (name) => document.getElementById(name);
const svgName = "http://www.w3.org/2000/svg";
let now = frames.length - 1;
let timer = null;

function squares(placement) {
  const out = [];
  placement.split("/").forEach((row, down) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") { file += Number(letter); } else { out[down * 8 + file] = letter; file += 1; }
    }
  });
  return out;
}

function put(board, name, attributes) {
  const made = document.createElementNS(svgName, name);
  for (const key of Object.keys(attributes)) { made.setAttribute(key, attributes[key]); }
  board.appendChild(made);
}

function draw(placement, before) {
  const board = id("board").querySelector("svg");
  board.querySelectorAll("use, .changed").forEach((old) => old.remove());
  const pieces = squares(placement);
  const was = before === null ? pieces : squares(before);
  for (let place = 0; place < 64; place += 1) {
    const x = 20 + 45 * (place % 8);
    const y = 45 * Math.floor(place / 8);
    const letter = pieces[place];
    if (letter !== undefined) {
      const unknown = letter === "X";
      const side = unknown ? "unknown" : letter === letter.toUpperCase() ? "white" : "black";
      put(board, "use", { class: side, href: "#piece-" + (unknown ? "x" : letter.toLowerCase()), x, y });
    }
    if (letter !== was[place]) {
      put(board, "rect", { class: "changed", x: x + 2, y: y + 2, width: 41, height: 41 });
    }
  }
}

function show(place) {
  now = Math.max(0, Math.min(frames.length - 1, place));
  const frame = frames[now];
  draw(frame.placement, now > 0 ? frames[now - 1].placement : null);
  id("player").dataset.placement = frame.placement;
  id("white").textContent = frame.white || "–";
  id("black").textContent = frame.black || "–";
  id("when").textContent = frame.when + " UTC, " + (now + 1) + " of " + frames.length;
  id("text").textContent = frame.text;
  id("slider").value = now;
  document.querySelectorAll("#happened .now").forEach((row) => row.classList.remove("now"));
  const row = document.querySelector('#happened [data-frame="' + now + '"]');
  if (row) { row.classList.add("now"); }
}

function stop() {
  clearTimeout(timer);
  timer = null;
  id("play").textContent = "Play";
}

// As fast as it happened, but nobody waits longer than two seconds.
function step() {
  if (now >= frames.length - 1) { stop(); return; }
  const wait = Math.max(150, Math.min(2000, frames[now + 1].t - frames[now].t));
  timer = setTimeout(() => { show(now + 1); step(); }, wait);
}

if (frames.length > 0) {
  id("slider").addEventListener("input", () => { stop(); show(Number(id("slider").value)); });
  id("back").addEventListener("click", () => { stop(); show(now - 1); });
  id("on").addEventListener("click", () => { stop(); show(now + 1); });
  id("play").addEventListener("click", () => {
    if (timer !== null) { stop(); return; }
    if (now >= frames.length - 1) { show(0); }
    id("play").textContent = "Pause";
    step();
  });
  document.querySelectorAll("#happened [data-frame]").forEach((row) => {
    row.addEventListener("click", () => { stop(); show(Number(row.dataset.frame)); });
  });
  show(now);
}
