// What the live board does beyond reading: larger and smaller, the legal orders of a unit, and writing them into the form. It sends nothing.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const token = document.body.dataset.token;
const board = document.querySelector(".board");
const targets = document.getElementById("targets");
const choices = document.getElementById("choices");
const chosen = document.getElementById("chosen");
const orders = document.getElementById("orders");
let asked = 0;

for (const one of document.querySelectorAll(".tools, .script, #legal")) one.hidden = false;

let zoom = 1;
for (const button of document.querySelectorAll("[data-zoom]")) {
  button.addEventListener("click", () => {
    zoom = Math.min(8, Math.max(1, zoom * Number(button.dataset.zoom)));
    board.style.width = `${zoom * 100}%`;
  });
}

// A stack is shown where it is described: no page is left for it, and the list gets the focus.
for (const stack of document.querySelectorAll(".stack")) {
  stack.addEventListener("click", (event) => {
    const place = document.getElementById(`at-${stack.dataset.hex}`);
    const units = place.querySelectorAll("button[data-unit]");
    if (units.length === 1) {
      event.preventDefault();
      ask(units[0].dataset.unit);
    } else {
      setTimeout(() => (units[0] || place).focus(), 0);
    }
  });
}

for (const item of document.querySelectorAll("li[data-own]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.unit = item.dataset.own;
  button.textContent = item.textContent;
  item.replaceChildren(button);
}

for (const button of document.querySelectorAll("button[data-unit]")) {
  button.addEventListener("click", () => ask(button.dataset.unit));
}

async function ask(unit) {
  const number = (asked += 1);
  let found;
  try {
    const answer = await fetch(`${token}.json?unit=${encodeURIComponent(unit)}`);
    if (!answer.ok) throw new Error(String(answer.status));
    found = await answer.json();
  } catch {
    found = null;
  }
  if (number === asked) show(unit, found);
}

function show(unit, found) {
  targets.replaceChildren();
  choices.replaceChildren();
  document.getElementById("more").hidden = !(found && found.more);
  if (!found) {
    chosen.textContent = chosen.dataset.failed;
    return;
  }
  const name = unit ? `${chosen.dataset.of} ${unit}` : chosen.dataset.others;
  chosen.textContent = found.orders.length ? name : `${name}: ${chosen.dataset.none}`;
  const marked = new Set();
  for (const order of found.orders) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "line";
    button.textContent = order.line;
    button.addEventListener("click", () => write(order.line));
    item.append(button);
    choices.append(item);
    if (order.hex && !marked.has(order.hex)) {
      marked.add(order.hex);
      mark(order);
    }
  }
  document.getElementById("legal").scrollIntoView({ block: "nearest" });
}

function mark(order) {
  const centre = JSON.parse(board.dataset.hexes)[order.hex];
  if (!centre) return;
  const [wide, high] = JSON.parse(board.dataset.hex).map((size) => size / 2);
  const around = [[-wide / 2, -high], [wide / 2, -high], [wide, 0], [wide / 2, high], [-wide / 2, high], [-wide, 0]];
  const target = document.createElementNS(SVG, "g");
  const outline = document.createElementNS(SVG, "polygon");
  const title = document.createElementNS(SVG, "title");
  outline.setAttribute("points", around.map(([x, y]) => `${centre[0] + x},${centre[1] + y}`).join(" "));
  title.textContent = order.line;
  target.setAttribute("class", "target");
  target.setAttribute("role", "button");
  target.setAttribute("tabindex", "0");
  target.setAttribute("aria-label", order.line);
  target.append(title, outline);
  target.addEventListener("click", () => write(order.line));
  target.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      write(order.line);
    }
  });
  targets.append(target);
}

function write(line) {
  const before = orders.value.replace(/\s+$/, "");
  orders.value = before ? `${before}\n${line}\n` : `${line}\n`;
  targets.replaceChildren();
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
  const mail = document.getElementById("mail");
  const plain = mail.href;
  mail.addEventListener("click", () => {
    mail.href = `${plain}&body=${encodeURIComponent(orders.value.replace(/\n/g, "\r\n"))}`;
  });
}
