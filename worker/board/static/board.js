// What the live board does beyond reading: larger and smaller, what stands in a hex, the legal orders of a unit after the lines that are
// written, and writing more of them. It hands nothing in: it only asks what could be ordered.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const WAIT = 500; // milliseconds of rest after which a draft is tried
const READABLE = 26; // pixels that a hex is wide at least where one of them is to be chosen
const token = document.body.dataset.token;
const frame = document.querySelector(".frame");
const board = document.querySelector(".board");
const hexes = JSON.parse(board.dataset.hexes);
const half = JSON.parse(board.dataset.hex).map((size) => size / 2);
const targets = document.getElementById("targets");
const here = document.getElementById("here");
const choices = document.getElementById("choices");
const chosen = document.getElementById("chosen");
const after = document.getElementById("after");
const orders = document.getElementById("orders");
let asked = 0;
let unit = null; // whose legal orders are shown; "": those of no unit; null: none
let last = null; // what was answered
let timer = 0;
const invited = chosen ? chosen.textContent : "";

for (const one of document.querySelectorAll(".tools, #legal, #copy")) one.hidden = false;

// -- the map: how large, and which part of it is in the frame

let zoom = 1;

function scale() {
  return board.clientWidth / Number(board.dataset.wide);
}

function middle() {
  return [(frame.scrollLeft + frame.clientWidth / 2) / scale(), (frame.scrollTop + frame.clientHeight / 2) / scale()];
}

function centre([x, y]) {
  frame.scrollLeft = x * scale() - frame.clientWidth / 2;
  frame.scrollTop = y * scale() - frame.clientHeight / 2;
}

function enlarge(factor, around = middle()) {
  zoom = Math.min(8, Math.max(1, factor));
  board.style.width = `${zoom * 100}%`;
  centre(around);
}

for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => enlarge(zoom * Number(button.dataset.zoom)));
}

function inFrame([x, y]) {
  const [left, top] = [x * scale() - frame.scrollLeft, y * scale() - frame.scrollTop];
  return left >= 0 && left <= frame.clientWidth && top >= 0 && top <= frame.clientHeight;
}

// Hexes among which is to be chosen are made large enough to be hit, and brought into the frame: those nearest to the unit, if not all.
function bring(numbers, from) {
  const points = numbers.map((number) => hexes[number]).filter(Boolean);
  if (!points.length) return;
  const at = hexes[from] || mean(points);
  const near = points.reduce((best, point) => (apart(point, at) < apart(best, at) ? point : best));
  const wide = 2 * half[0] * scale();
  if (wide < READABLE) enlarge((zoom * READABLE) / wide, hexes[from] || near);
  else if (!inFrame(near)) centre(hexes[from] || near);
  if (!inFrame(near)) centre(near);
}

function apart([x, y], [u, v]) {
  return Math.hypot(x - u, y - v);
}

const own = [...document.querySelectorAll(".stack.own")].map((stack) => hexes[stack.dataset.hex]);
if (own.length) centre(mean(own));

function mean(points) {
  return points.reduce(([x, y], point) => [x + point[0] / points.length, y + point[1] / points.length], [0, 0]);
}

// -- what stands in a hex: shown beside the map, so that nobody loses his place on it

function name(place) {
  return document.getElementById(`at-${place}`).querySelector("h3").textContent;
}

function show(place) {
  document.getElementById("h-here").textContent = name(place);
  const list = document.getElementById("counters");
  list.replaceChildren();
  for (const item of document.getElementById(`at-${place}`).querySelectorAll("li")) {
    const copy = document.createElement("li");
    if (item.dataset.own) copy.append(choice(item.dataset.own, item.dataset.text));
    else copy.textContent = item.textContent;
    list.append(copy);
  }
  here.hidden = false;
  highlight();
}

function choice(key, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.unit = key;
  button.textContent = text;
  button.addEventListener("click", () => ask(key));
  return button;
}

for (const item of document.querySelectorAll(".place li[data-own]")) {
  item.dataset.text = item.textContent;
  const button = choice(item.dataset.own, item.textContent);
  button.addEventListener("click", () => frame.closest("section").scrollIntoView({ block: "nearest" }));
  item.replaceChildren(button);
}

for (const stack of document.querySelectorAll(".stack, .tray")) {
  stack.addEventListener("click", (event) => {
    event.preventDefault();
    const place = stack.dataset.hex;
    const units = document.getElementById(`at-${place}`).querySelectorAll("li[data-own]");
    show(place);
    if (stack.dataset.unit) ask(stack.dataset.unit);
    else if (units.length === 1) ask(units[0].dataset.own);
    else clear();
    if (event.detail === 0) (here.querySelector("button") || document.getElementById("h-here")).focus(); // by key
  });
}

const others = document.querySelector("#legal button[data-unit='']");
if (others) others.addEventListener("click", () => ask(""));

function home(key) {
  const item = key ? document.querySelector(`.place li[data-own="${key}"]`) : null;
  const place = item && item.closest(".place").id;
  return place ? place.replace("at-", "") : "";
}

function highlight() {
  const place = home(unit);
  for (const one of document.querySelectorAll(".stack")) one.classList.toggle("chosen", Boolean(place) && one.dataset.hex === place);
  for (const one of document.querySelectorAll(".tray, button[data-unit]")) {
    one.classList.toggle("chosen", Boolean(unit) && one.dataset.unit === unit);
  }
}

// -- the legal orders of a unit, after the lines that are written

function clear() {
  unit = last = null;
  if (chosen) render();
}

async function ask(key, again = false) {
  if (!chosen) return;
  const number = (asked += 1);
  unit = key;
  highlight();
  let found;
  try {
    const body = new URLSearchParams({ unit: key, orders: orders.value });
    const answer = await fetch(`${token}.json`, { method: "POST", body });
    if (answer.status === 429) found = { failed: chosen.dataset.often };
    else if (!answer.ok) throw new Error(String(answer.status));
    else found = await answer.json();
  } catch {
    found = { failed: chosen.dataset.failed };
  }
  if (number !== asked) return;
  last = found;
  render();
  if (!again && !found.failed) bring([...new Set(found.orders.map((order) => order.hex))], home(key));
}

// Shows the answer; only the orders about one hex where there are several and it was clicked.
function render(only = "") {
  targets.replaceChildren();
  choices.replaceChildren();
  after.hidden = true;
  document.getElementById("more").hidden = !(last && last.more);
  highlight();
  if (!last) {
    chosen.textContent = invited;
    return;
  }
  if (last.failed) {
    chosen.textContent = last.failed;
    return;
  }
  const title = unit ? `${chosen.dataset.of} ${unit}` : chosen.dataset.others;
  chosen.textContent = only ? `${title}: ${chosen.dataset.several}` : last.orders.length ? title : `${title}: ${chosen.dataset.none}`;
  if (orders.value.trim()) {
    after.textContent = (after.dataset[last.why] || after.dataset.after).replace("{n}", last.line);
    after.hidden = false;
  }
  const byHex = new Map();
  for (const order of last.orders) {
    if (order.hex) byHex.set(order.hex, [...(byHex.get(order.hex) || []), order]);
    if (only && order.hex !== only) continue;
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "line";
    button.textContent = order.line;
    button.addEventListener("click", () => write(order.line));
    item.append(button);
    choices.append(item);
  }
  for (const [hex, about] of byHex) mark(hex, about);
}

function mark(hex, about) {
  const at = hexes[hex];
  if (!at) return;
  const [wide, high] = half;
  const around = [[-wide / 2, -high], [wide / 2, -high], [wide, 0], [wide / 2, high], [-wide / 2, high], [-wide, 0]];
  const target = document.createElementNS(SVG, "g");
  const outline = document.createElementNS(SVG, "polygon");
  const title = document.createElementNS(SVG, "title");
  outline.setAttribute("points", around.map(([x, y]) => `${at[0] + x},${at[1] + y}`).join(" "));
  title.textContent = about.map((order) => order.line).join("\n");
  target.setAttribute("class", "target");
  target.setAttribute("role", "button");
  target.setAttribute("tabindex", "0");
  target.setAttribute("aria-label", about.map((order) => order.line).join(", "));
  target.append(title, outline);
  const take = () => (about.length === 1 ? write(about[0].line) : several(hex));
  target.addEventListener("click", take);
  target.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      take();
    }
  });
  targets.append(target);
}

function several(hex) {
  render(hex);
  choices.querySelector("button").focus({ preventScroll: true });
}

// A line that was clicked is told below the map, where the click was, and can be taken back there.
const written = document.getElementById("written");

function write(line) {
  const before = orders.value.replace(/\s+$/, "");
  orders.value = before ? `${before}\n${line}\n` : `${line}\n`;
  tell(line);
}

function tell(line) {
  orders.scrollTop = orders.scrollHeight;
  targets.replaceChildren();
  written.hidden = !line;
  written.querySelector("code").textContent = line;
  again();
}

if (written) {
  document.getElementById("back").addEventListener("click", () => {
    const lines = orders.value.trimEnd().split("\n").slice(0, -1);
    orders.value = lines.length ? `${lines.join("\n")}\n` : "";
    tell(lines.length ? lines[lines.length - 1] : "");
    document.querySelector(".frame").focus({ preventScroll: true });
  });
}

function again() {
  clearTimeout(timer);
  if (unit !== null) ask(unit, true);
}

if (orders) {
  orders.addEventListener("input", () => {
    if (written) written.hidden = true;
    clearTimeout(timer);
    timer = setTimeout(again, WAIT);
  });
}

const copy = document.getElementById("copy");
if (copy) {
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(orders.value);
    } catch {
      orders.select();
      document.execCommand("copy");
    }
    copy.textContent = copy.dataset.done;
  });
}
