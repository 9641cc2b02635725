// Face to Face on boardgame.io's own server, as it ships: its lobby with credentials, its socket.io transport, and its storage
// in memory or, when a folder is named, in files. The rules are those of a turn (what fits a pile, two cards at least, the draw, the loss of who is stuck);
// a hand is seen by its owner only, and every accepted move is sent to both players.

const { FlatFile, Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const HAND = 6;

function setup({ random }) {
  const decks = {};
  const players = {};
  const piles = {};
  for (const seat of ["0", "1"]) {
    const deck = random.Shuffle(Array.from({ length: 58 }, (_, at) => at + 2));
    players[seat] = { hand: deck.splice(0, HAND) };
    decks[seat] = deck;
    piles[seat] = { up: 1, down: 60, hand: HAND, deck: deck.length };
  }
  return { piles, players, secret: { decks }, laid: 0, helped: false };
}

function fits(G, seat, pile, card) {
  const [mine, theirs] = [G.piles[seat], G.piles[1 - seat]];
  switch (pile) {
    case "up":
      return card > mine.up || card === mine.up - 10;
    case "down":
      return card < mine.down || card === mine.down + 10;
    case "help-up":
      return !G.helped && card < theirs.up;
    case "help-down":
      return !G.helped && card > theirs.down;
  }
  return false;
}

function lay({ G, ctx }, pile, card) {
  const seat = ctx.currentPlayer;
  const at = G.players[seat].hand.indexOf(card);
  if (at < 0 || !fits(G, seat, pile, card)) return INVALID_MOVE;
  G.players[seat].hand.splice(at, 1);
  G.piles[seat].hand -= 1;
  const side = pile.startsWith("help") ? 1 - seat : seat;
  G.piles[side][pile.replace("help-", "")] = card;
  G.helped = G.helped || side !== seat;
  G.laid += 1;
}

function end({ G, ctx, events }) {
  if (G.laid < 2) return INVALID_MOVE;
  const seat = ctx.currentPlayer;
  const deck = G.secret.decks[seat];
  const drawn = deck.splice(0, G.helped ? HAND - G.players[seat].hand.length : 2);
  G.players[seat].hand.push(...drawn);
  Object.assign(G.piles[seat], { hand: G.players[seat].hand.length, deck: deck.length });
  G.laid = 0;
  G.helped = false;
  events.endTurn();
}

function endIf({ G, ctx }) {
  const seat = ctx.currentPlayer;
  const hand = G.players[seat].hand;
  if (hand.length + G.secret.decks[seat].length === 0) return { winner: seat };
  if (G.laid >= 2) return undefined;
  const able = hand.some((card) => ["up", "down", "help-up", "help-down"].some((pile) => fits(G, seat, pile, card)));
  return able ? undefined : { winner: String(1 - seat) };
}

function playerView({ G, playerID }) {
  const { secret, players, ...open } = G;
  return playerID === null ? open : { ...open, players: { [playerID]: players[playerID] } };
}

const game = { name: "face-to-face", setup, moves: { lay, end }, endIf, playerView, minPlayers: 2, maxPlayers: 2 };

const [port, folder] = process.argv.slice(2);
const db = folder ? new FlatFile({ dir: folder }) : undefined;
const server = Server({ games: [game], db, origins: [/localhost/] });
server.run(Number(port || 0)).then(({ appServer }) => {
  console.log(`http://localhost:${appServer.address().port} ${process.pid}`);
});
