// The types of docs/protocol.md. Every module of the client can use them without an import.

/** A sentence that is not translated yet: a key of the catalogues and the values to fill in. */
interface Message {
  key: string;
  values: Record<string, unknown>;
  game: string;
}

interface Seat {
  kind: "person" | "open" | "bot";
  name: string;
  level: string | null;
  online: boolean;
  /** Since when the person is away, in seconds since 1970. */
  away_since?: number | null;
  stand_in: boolean;
  /** A program plays this seat, under the token of a bot account. */
  bot_account?: boolean;
}

/** A bot account that can be challenged. */
interface OnlineBot {
  bot: string;
  name: string;
  games: string[];
}

type Options = Record<string, string>;

interface Clock {
  minutes: number;
  seconds: number;
}

interface Table {
  table: string;
  game: string;
  options: Options;
  /** The options that differ from the game's defaults. */
  variants?: string[];
  status: "waiting" | "playing" | "finished";
  round: number;
  public: boolean;
  /** The seat of the person who runs the table. */
  opener?: number | null;
  /** Who runs a waiting table next, and when, while its opener is away. */
  successor?: { seat: number; at: number } | null;
  seats: Seat[];
  clock?: Clock | null;
}

interface Outcome {
  winners: number[];
  key: string;
  values: Record<string, unknown>;
}

/** What one seat may know. Each game has its own `board`. */
interface View {
  game: string;
  options: Options;
  seat: number | null;
  /** The seats that must act. */
  to_act: number[];
  /** The legal moves of the seat. */
  moves: string[];
  undoable: boolean;
  board: any;
  outcome: Outcome | null;
}

/** One player's half of Face to Face. Only the owner sees `hand`. */
interface Half {
  up: number;
  down: number;
  hand: number[] | null;
  in_hand: number;
  in_deck: number;
}

/** The board of Face to Face. */
interface FaceToFaceBoard {
  turn: number | null;
  laid: number;
  /** How many cards must still be laid before the turn may end. */
  required: number;
  helped: boolean;
  draws: number;
  halves: [Half, Half];
}

/** The board of Quick & Easy. */
interface QuickEasyBoard {
  turn: number | null;
  up: string | null;
  down: string | null;
  hand: string[] | null;
  in_hand: number[];
  in_deck: number;
  laid: number;
  /** How many cards must still be laid before the turn may end. */
  required: number;
  draws: number;
}

/** A line of the log. */
interface Line {
  seat: number;
  move: string;
  events: Message[];
}

/** A player who is away, and whether the others may decide what happens to the seat. */
interface Absent {
  seat: number;
  seconds: number;
  can_decide: boolean;
  /** The seats that may vote, and their votes so far by seat. */
  voters: number[];
  votes: Record<number, Choice>;
}

/** What can happen to the seat of a player who is away. */
type Choice = "wait" | "bot" | "end";

/** What a bot did for a player who was away. */
interface BotPlayed {
  reason: string;
  /** In seconds since 1970. */
  since: number;
  moves: number;
  /** The line of the last of these moves in the log. */
  line?: number | null;
}

/** What everybody may know about the deal of a round. */
interface DealShown {
  phase: "wait" | "commit" | "reveal" | "dealt";
  attempt: number;
  /** The hash of the server's seed. */
  commitment: string;
  /** By seat, while they are collected. */
  commitments: string[];
  client_seeds: string[];
  /** For each void attempt, the seats that withheld their client seeds. */
  withheld: number[][];
  /** The server's seed, after the match. */
  seed: string | null;
  next_commitment: string;
}

interface Snapshot {
  type: "snapshot";
  /** Only in the first snapshot of a connection. */
  protocol?: number;
  sequence: number;
  /** The ids of this client's commands that this snapshot answers. */
  answers: string[];
  table: Table;
  you: number | null;
  /** The length of the log. */
  lines: number;
  view: View | null;
  /** By move: what a legal move would do. */
  effects: Record<string, any>;
  /** By move: why another move is refused. */
  refusals: Record<string, Message>;
  phrases: string[];
  /** The lines since the last snapshot. */
  log: { from: number; lines: Line[] };
  absent: Absent[];
  /** Whether another connection shows this seat too. */
  elsewhere?: boolean;
  clock: { left: number[]; running: number[] } | null;
  thinking: number[];
  /** The seats that want a rematch. */
  rematch?: number[];
  /** Until the player has acknowledged it. */
  bot_played?: BotPlayed | null;
  /** Whether this viewer may ask for hints here. */
  hints?: boolean;
  /** What the cards are dealt from. */
  deal?: DealShown;
  /** Only in a replay: there are no moves, and hands may be open. */
  replay?: boolean;
  /** Only in a replay without a chosen seat: the view of each seat. */
  views?: (View | undefined)[];
}

/** Moves with the chance to win by each, the best first; and the chance that each claim is true. */
interface Hint {
  /** The length of the log when the hint was computed. */
  at: number;
  moves: [string, number][];
  claims: Record<string, number>;
  /** Why the first move is advised. */
  reason: Message | null;
}

/** The analysis of one decision, from what its seat could know at that time. */
interface Decision {
  line: number;
  seat: number;
  move: string;
  chance: number;
  best: string;
  best_chance: number;
  cost: number;
  mark: "" | "mistake" | "blunder";
  claim: number | null;
  /** Why the best move is better, for a marked decision. */
  reason: Message | null;
}

interface Analysis {
  game: string;
  names: string[];
  decisions: Decision[];
  /** By seat: the chance to win after each decision, and the result at the end. */
  curves: { line: number; chance: number }[][];
  accuracy: { decisions: number; cost: number; mistakes: number; blunders: number }[];
  outcome: Outcome | null;
}

/** A game as `GET /api/games` lists it. */
interface GameListed {
  name: string;
  title: string;
  seats: [number, number];
  options: Record<string, string[]>;
  levels: string[];
}

/** A finished match, step by step. */
interface Replay {
  game: string;
  names: string[];
  options: Options;
  steps: { seat: number; move: string; events: Message[]; view: View }[];
}

/** Return the sentence of a key: from the game's catalogue, then the client's, then the common one. */
type Translate = (key: string, values?: Record<string, unknown>, game?: string) => string;

/** The props of every board in static/games/. */
interface BoardProps {
  snapshot: Snapshot;
  /** The whole log. */
  lines: Line[];
  names: string[];
  /** Sends a move. Resolves to null when it is made, or to the message that says why it was refused. */
  act: (move: string) => Promise<Message | null>;
  undo: () => Promise<Message | null>;
  /** Sends one of `snapshot.phrases` to the table. */
  talk: (phrase: string) => Promise<Message | null>;
  /** Called when the board has shown how a reveal ends (see `isReveal` in table/board.js), or has closed it. */
  onReveal: (stage: "shown" | "closed", line: number) => void;
  /** Translates a message, with the players' names. */
  translate: (message: Message) => string;
  t: Translate;
  /** The hint that is shown now. */
  hint?: Hint | null;
  /** Whether this is a replay, without moves. */
  replay: boolean;
  /** Whether several people look at this device: then what all of them read names people, and does not say "you". */
  shared?: boolean;
}
