// An arbiter's console in JavaScript, with MQTT.js: a whole session on one board, by MQTT 3.1.1.
//
// Usage: node arbiter.js PORT BOARD. Prints a line after each step; the test moves the pieces meanwhile.
"use strict";

const mqtt = require("mqtt");

const [port, board] = process.argv.slice(2);
const root = `jadoube/v1/hall/arbiter/${board}`;
const messages = [];
let wake = () => {};
let asked = 0;
let since = 0;

const say = (...words) => console.log(...words);

function fail(why) {
  console.error(why);
  process.exit(1);
}

// The first message since the last request that fits: what follows from it may come before its answer.
async function wait(what, fits) {
  const late = setTimeout(() => fail(`waited in vain: ${what}`), 30000);
  for (let at = since; ; at += 1) {
    while (at >= messages.length) await new Promise((resolve) => (wake = resolve));
    const [topic, body] = messages[at];
    if (body !== null && fits(topic, body)) {
      clearTimeout(late);
      return body;
    }
  }
}

// A request; the answer's body.
async function ask(verb, keys) {
  asked += 1;
  since = messages.length;
  const id = `node-${asked}`;
  client.publish(`${root}/request/${verb}`, JSON.stringify({ id, by: "Node", ...keys }), { qos: 1 });
  const answer = await wait(`an answer to ${verb}`, (t, b) => t === `${root}/response/${verb}` && b.id === id);
  if (!answer.ok) fail(`${verb} is refused: ${answer.error}`);
  return answer;
}

const isAlert = (topic, body) => topic.startsWith(`${root}/alerts/`) && body.code === "illegal-move";

const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { clientId: "console-node", protocolVersion: 4 });
client.on("error", (error) => fail(String(error)));
client.on("message", (topic, payload) => {
  messages.push([topic, payload.length > 0 ? JSON.parse(payload) : null]);
  wake();
});

async function session() {
  client.subscribe([`${root}/#`, `jadoube/v1/hall/broadcast/${board}/move`], { qos: 1 });
  const first = await wait("an alert", isAlert);
  say("alert", first.head[4].text);
  await ask("acknowledge", { alert: first.id });
  await wait("it is acknowledged", (t, b) => isAlert(t, b) && b.acknowledged?.by === "Node");
  say("acknowledged");
  say("upheld", (await ask("rule", { alert: first.id, ruling: "upheld" })).text.split(": ")[1]);
  const state = await wait("what to put back", (t, b) => t === `${root}/state` && b.episode !== null);
  say("restore", state.episode.movements[0].text);
  const move = await wait("a replacement", (t, b) => t.endsWith("/move") && b.kind === "move" && b.ply === 3);
  say("replaced", move.uci);

  const second = await wait("the second offence", (t, b) => isAlert(t, b) && b.id !== first.id && b.result !== null);
  if (second.repeats !== first.id || second.offences.white !== 1) fail(JSON.stringify(second));
  say("second", second.offence, second.result);
  say("undone", (await ask("undo", { alert: first.id })).text.split("; ")[1]);
  const again = await wait("the second is the first then", (t, b) => isAlert(t, b) && b.id === second.id && b.offence === 1);
  say("again", again.consequence);
  for (const alert of [second, first]) {
    await ask("rule", { alert: alert.id, ruling: "dismissed", why: "the end of the session" });
  }
  await wait("no alert is open", (t, b) => t === `${root}/state` && b.open_alerts.length === 0);
  say("closed");
  client.end();
}

session().catch((error) => fail(String(error)));
