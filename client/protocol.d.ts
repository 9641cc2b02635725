// The words of docs/protocol.md as types, known to every module of the client without an import.

/** A sentence before it has a language. */
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
  stand_in: boolean;
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
  status: "waiting" | "playing" | "finished";
  round: number;
  public: boolean;
  seats: Seat[];
  clock?: Clock | null;
}

interface Outcome {
  winners: number[];
  key: string;
  values: Record<string, unknown>;
}

/** What one seat may know; `board` is each game's own. */
interface View {
  game: string;
  options: Options;
  seat: number | null;
  to_act: number[];
  moves: string[];
  undoable: boolean;
  board: any;
  outcome: Outcome | null;
}

/** One player's half of Face to Face; `hand` only for its owner. */
interface Half {
  up: number;
  down: number;
  hand: number[] | null;
  in_hand: number;
  in_deck: number;
}

/** The board of Face to Face; `required` cards must still be laid before the turn may end. */
interface FaceToFaceBoard {
  turn: number | null;
  laid: number;
  required: number;
  helped: boolean;
  draws: number;
  halves: [Half, Half];
}

/** The board of Quick & Easy; `required` cards must still be laid before the turn may end. */
interface QuickEasyBoard {
  turn: number | null;
  up: string | null;
  down: string | null;
  hand: string[] | null;
  in_hand: number[];
  in_deck: number;
  laid: number;
  required: number;
  draws: number;
}

interface Line {
  seat: number;
  move: string;
  events: Message[];
}

interface Away {
  seat: number;
  seconds: number;
  decide: boolean;
}

interface Snapshot {
  type: "snapshot";
  version: number;
  answers: string[];
  table: Table;
  you: number | null;
  lines: number;
  view: View | null;
  effects: Record<string, any>;
  refusals: Record<string, Message>;
  phrases: string[];
  log: { from: number; lines: Line[] };
  away: Away[];
  clock: { left: number[]; running: number[] } | null;
  thinking: number[];
  /** Who wants to play again. */
  rematch?: number[];
  /** Whether this viewer may ask for hints here. */
  hints?: boolean;
  /** Where the cards come from; `next` is the commitment of the round after this one. */
  deal?: { commitment: string; client_seeds: string[]; seed: string | null; next: string };
  /** Only in the replay: nothing can be done, and hands may be open. */
  replay?: boolean;
  /** Only in the replay, where no seat's eyes were chosen: what each seat sees. */
  views?: (View | undefined)[];
}

/** An expert's advice: the chance to win by each move, the best first, and how likely each claim is true. */
interface Hint {
  /** How many lines the log had when it was given. */
  at: number;
  moves: [string, number][];
  claims: Record<string, number>;
}

/** What one decision of a finished match was worth to its seat, as it could know then. */
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
}

interface Analysis {
  game: string;
  names: string[];
  decisions: Decision[];
  /** By seat: the chance to win after each of its decisions, and what came of it. */
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

/** A finished match step by step. */
interface Replay {
  game: string;
  names: string[];
  options: Options;
  steps: { seat: number; move: string; events: Message[]; view: View }[];
}

/** Says a message of the catalogues: the game's own entry first, then the client's, then the common one. */
type Translate = (key: string, values?: Record<string, unknown>, game?: string) => string;

/** What every board in static/games/ is given. */
interface BoardProps {
  snapshot: Snapshot;
  /** The whole log so far; the newest line is the last. */
  lines: Line[];
  names: string[];
  /** Sends a move; resolves to null when it is made, or to the message that says why not. */
  act: (move: string) => Promise<Message | null>;
  undo: () => Promise<Message | null>;
  /** Says one of `snapshot.phrases` at the table. */
  talk: (phrase: string) => Promise<Message | null>;
  /** The board has shown how a reveal ends (see `isReveal` in table/board.js), or has closed it. */
  onReveal: (stage: "shown" | "closed") => void;
  /** A message as a sentence, with the names of this table. */
  translate: (message: Message) => string;
  t: Translate;
  /** What the reader was advised, while it holds. */
  hint?: Hint | null;
  /** True in the replay, where nothing can be done. */
  replay: boolean;
}
