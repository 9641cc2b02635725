"""A bot that plays random moves at a server, written from docs/protocol.md alone.

    GRAMY_BOT_TOKEN=... python remote_bot.py http://localhost:8484 gra
    GRAMY_BOT_TOKEN=... python remote_bot.py http://localhost:8484 challenges

It needs aiohttp and nothing of Gramy. MATCHES is the number of matches (default 1).
"""

import asyncio
import hashlib
import os
import random
import secrets
import sys

import aiohttp

GAMES = ["face-to-face", "quick-easy", "gra"]


def sha256(*lines):
    """Return the hash of some lines."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


async def ask(session, path, body=None):
    """Send a POST request and return the answer; raise ValueError with the server's message if it is refused."""
    async with session.post(path, json=body) as response:
        answer = await response.json() if response.status != 204 else None
        if response.status >= 400:
            raise ValueError(answer["error"])
        return answer


def answer(now, seeds):
    """Return the command that a snapshot asks for, None if there is nothing to do."""
    deal, table, view, you = now["deal"], now["table"], now["view"], now["you"]
    place = {"round": table["round"], "attempt": deal["attempt"]}
    seed = seeds.setdefault((table["round"], deal["attempt"]), secrets.token_hex(16))
    head = "gramy client commitment", sha256("gramy table", table["table"]), *place.values(), you
    commitment = sha256(*head, deal["commitment"], seed)
    if deal["phase"] == "commit" and not deal["commitments"][you]:
        return {"type": "commit", "seat": you, "commitment": commitment, **place}
    if deal["phase"] == "reveal" and deal["commitments"][you] == commitment and not deal["client_seeds"][you]:
        return {"type": "reveal", "client_seed": seed, **place}
    if table["status"] == "playing" and you in view["to_act"]:
        move = random.choice(view["moves"])
        return {"type": "move", "at": now["lines"], "round": table["round"], "move": move}
    return None


async def play(session, seat):
    """Play one match and print how it ended."""
    pending, number, seeds = None, 0, {}
    async with session.ws_connect(f"/ws/{seat['table']}") as socket:
        await socket.send_json({"type": "hello", "protocol": 3, "token": seat["token"]})
        async for frame in socket:
            now = frame.json()
            if now["type"] == "bye":
                raise ValueError(now["message"])
            if now["type"] == "refused" and now["id"] == pending:
                pending = None
            if now["type"] != "snapshot":
                continue
            if now["table"]["status"] == "finished":
                outcome = now["view"]["outcome"]
                print(now["table"]["game"], outcome["key"], outcome["winners"], flush=True)
                return
            if pending in now["answers"]:
                pending = None
            if pending is None and (command := answer(now, seeds)):
                number, pending = number + 1, f"c{number}"
                await socket.send_json({"id": pending, **command})
    raise ConnectionError(f"the server closed the connection: {socket.close_code}")


async def main(url, game):
    """Play against the server's bots, or whoever challenges this bot."""
    headers = {"Authorization": f"Bearer {os.environ['GRAMY_BOT_TOKEN']}"}
    matches, known = int(os.environ.get("MATCHES", "1")), []
    async with aiohttp.ClientSession(url, headers=headers) as session:
        while matches > 0:
            if game != "challenges":
                table = {"game": game, "name": "", "seats": [None, {"bot": "easy"}]}
                await play(session, await ask(session, "/api/tables", table))
                matches -= 1
                continue
            for event in (await ask(session, "/api/bot/events", {"games": GAMES, "known": known}))["challenges"]:
                known.append(event["challenge"])
                await play(session, await ask(session, f"/api/bot/challenges/{event['challenge']}/accept"))
                matches -= 1


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
