"""An arbiter's console in Python, with paho: a whole session on one board, by MQTT 5.

Usage: arbiter.py PORT BOARD. Prints a line after each step; the test moves the pieces meanwhile.
"""

import json
import queue
import sys

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PORT, BOARD = int(sys.argv[1]), sys.argv[2]
ROOT = f"jadoube/v1/hall/arbiter/{BOARD}"
REPLY = f"reply/arbiter/{BOARD}"
arriving = queue.Queue()
messages = []
since = 0
asked = 0


def say(*words):
    print(*words, flush=True)


def wait(what, fits):
    """The first message since the last request that fits: what follows from it may come before its answer."""
    at = since
    while True:
        while at == len(messages):
            try:
                messages.append(arriving.get(timeout=30))
            except queue.Empty:
                sys.exit(f"waited in vain: {what}")
        topic, body = messages[at]
        if body is not None and fits(topic, body):
            return body
        at += 1


def ask(verb, **keys):
    """A request with a topic of its own for the answer; the answer's body."""
    global asked, since
    asked, since = asked + 1, len(messages)
    properties = Properties(PacketTypes.PUBLISH)
    properties.ResponseTopic = REPLY
    properties.CorrelationData = str(asked).encode()
    body = {"id": f"python-{asked}", "by": "Python", **keys}
    client.publish(f"{ROOT}/request/{verb}", json.dumps(body), qos=1, properties=properties)
    answer = wait(f"an answer to {verb}", lambda topic, got: topic == REPLY and got["id"] == body["id"])
    if not answer["ok"]:
        sys.exit(f"{verb} is refused: {answer['error']}")
    return answer


def is_alert(topic, body):
    return topic.startswith(f"{ROOT}/alerts/") and body["code"] == "illegal-move"


client = mqtt.Client(client_id="console-python", protocol=mqtt.MQTTv5)
client.on_message = lambda _c, _u, m: arriving.put((m.topic, json.loads(m.payload) if m.payload else None))
client.connect("127.0.0.1", PORT)
client.subscribe([(f"{ROOT}/#", 1), (REPLY, 1), (f"jadoube/v1/hall/broadcast/{BOARD}/move", 1)])
client.loop_start()

first = wait("an alert", is_alert)
say("alert", first["head"][4]["text"])
ask("acknowledge", alert=first["id"])
wait("it is acknowledged", lambda t, b: is_alert(t, b) and (b["acknowledged"] or {}).get("by") == "Python")
say("acknowledged")
say("upheld", ask("rule", alert=first["id"], ruling="upheld")["text"].split(": ")[1])
state = wait("what to put back", lambda t, b: t == f"{ROOT}/state" and b["episode"])
say("restore", state["episode"]["movements"][0]["text"])
move = wait("a replacement", lambda t, b: t.endswith("/move") and b.get("kind") == "move" and b["ply"] == 3)
say("replaced", move["uci"])

second = wait("the second offence", lambda t, b: is_alert(t, b) and b["id"] != first["id"] and b["result"])
assert second["repeats"] == first["id"] and second["offences"]["white"] == 1, second
say("second", second["offence"], second["result"])
say("undone", ask("undo", alert=first["id"])["text"].split("; ")[1])
again = wait("the second is the first then", lambda t, b: is_alert(t, b) and b["id"] == second["id"] and b["offence"] == 1)
say("again", again["consequence"])
for alert in (second, first):
    ask("rule", alert=alert["id"], ruling="dismissed", why="the end of the session")
wait("no alert is open", lambda t, b: t == f"{ROOT}/state" and b["open_alerts"] == [])
say("closed")
client.disconnect()
client.loop_stop()
