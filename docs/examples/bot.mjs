// A bot in plain JavaScript, written from docs/protocol.md alone. It plays random moves. Node 22; with a flag Node 20:
//   node --experimental-websocket bot.mjs URL GAME          plays against the server's easy bots
//   node --experimental-websocket bot.mjs URL challenges    waits for challenges
// The token of the bot account is in GRAMY_BOT_TOKEN, the number of matches in MATCHES (default 1).
import { createHash, randomBytes } from "node:crypto";

const [url, game] = process.argv.slice(2), known = [], games = ["face-to-face", "quick-easy", "gra"];
const headers = { Authorization: `Bearer ${process.env.GRAMY_BOT_TOKEN}`, "Content-Type": "application/json" };

async function ask(path, body = {}) {
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer.error));
  return answer;
}

const sha256 = (...lines) => createHash("sha256").update(lines.map((line) => `${line}\n`).join("")).digest("hex");

function answer({ deal, view, you, lines, table: { table, round, status } }, seeds) {
  const place = { round, attempt: deal.attempt };
  const seed = (seeds[`${round} ${deal.attempt}`] ??= randomBytes(16).toString("hex"));
  const head = ["gramy client commitment", sha256("gramy table", table), round, deal.attempt, you];
  const commitment = sha256(...head, deal.commitment, seed);
  if (deal.phase === "commit" && !deal.commitments[you]) return { type: "commit", seat: you, commitment, ...place };
  if (deal.phase === "reveal" && deal.commitments[you] === commitment && !deal.client_seeds[you])
    return { type: "reveal", client_seed: seed, ...place };
  if (status === "playing" && view.to_act.includes(you))
    return { type: "move", at: lines, round, move: view.moves[Math.floor(Math.random() * view.moves.length)] };
}

function play({ table, token }) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws/${table}`), seeds = {};
  let number = 0, pending = null;
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 3, token }));
  return new Promise((resolve, reject) => {
    socket.onclose = ({ code, reason }) => reject(new Error(`closed: ${code} ${reason}`));
    socket.onmessage = ({ data }) => {
      const now = JSON.parse(data);
      if (now.answers?.includes(pending) || (now.type === "refused" && now.id === pending)) pending = null;
      if (now.type !== "snapshot" || pending) return;
      if (now.table.status === "finished") {
        console.log(now.table.game, now.view.outcome.key, now.view.outcome.winners);
        resolve(socket.close());
      }
      const command = answer(now, seeds);
      if (command) socket.send(JSON.stringify({ id: (pending = `c${++number}`), ...command }));
    };
  });
}

for (let left = Number(process.env.MATCHES ?? 1); left > 0; ) {
  const events = game === "challenges" ? (await ask("/api/bot/events", { games, known })).challenges : [];
  for (const { challenge } of events) {
    known.push(challenge);
    await play(await ask(`/api/bot/challenges/${challenge}/accept`));
  }
  if (game !== "challenges") await play(await ask("/api/tables", { game, name: "", seats: [null, { bot: "easy" }] }));
  left -= game === "challenges" ? events.length : 1;
}
