/* The C reference: uniformly random play-outs of The Game: Face to Face, written for speed alone.
 *
 *     cc -O3 -march=native -o face_to_face face_to_face.c            "C": the yardstick of `make bench`
 *     cc -O3 -march=native -DPDEP -o face_to_face face_to_face.c     "C with PDEP": the far limit, needs BMI2
 *     ./face_to_face GAMES SEED   ->   games seconds placements turns wins_of_the_starter
 *
 * It shares no code with the package and is no source of the rules: it only says what a careful C programmer gets
 * out of them on one core, one game at a time. In every position each legal placement is equally likely, and so is
 * ending the turn once two cards lie. Seconds are processor time, the dealing of cards included.
 *
 * Card n (2..59) is bit n, and a pile is the bit of its top card, so all cards that fit a pile are one expression.
 * What costs time is choosing the k-th card of a set, so both builds do it the best way found by measuring:
 *   - a hand has at most six cards, and dropping the lowest card k times without a branch beats a loop by a fifth
 *     (a random k is mispredicted), and also a chain of cases and a table;
 *   - a draw pile as an array, from which a random slot is drawn and filled with the last card, beats a bit set of up
 *     to 58 cards with any portable selection: halving, byte sums with or without a table, clearing in a loop;
 *   - with PDEP the selection is one instruction, and the bit set wins again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef PDEP
#include <immintrin.h>
#endif

typedef uint64_t u64;

enum { FIRST = 2, LAST = 59, CARDS = LAST - FIRST + 1, HAND = 6 };

#define BIT(n) (1ULL << (n))

static inline u64 count(u64 set) { return (u64)__builtin_popcountll(set); }
static inline u64 lowest(u64 set) { return set & -set; }
static inline u64 highest(u64 set) { return BIT(63 - __builtin_clzll(set)); } /* of a set that is not empty */
static inline u64 above(u64 card) { return -(card << 1); }
static inline u64 beneath(u64 card) { return card - 1; }

/* The cards that leave some other card in the set. */
static inline u64 besides(u64 set) { return !set ? 0 : set & (set - 1) ? ~0ULL : ~set; }

/* A random number below n: multiply with carry, 32 bits a step, good enough for play-outs and nearly free. */
static inline u64 below(u64 *word, u64 n) {
    *word = 698769069 * (*word & 0xffffffff) + (*word >> 32);
    return (*word & 0xffffffff) * n >> 32;
}

/* The k-th card, from 0, of cards out of one hand. */
static inline u64 kth(u64 set, u64 k) {
#ifdef PDEP
    return _pdep_u64(BIT(k), set);
#else
    for (u64 i = 0; i < HAND - 1; i++) set &= set - (i < k);
    return lowest(set);
#endif
}

/* A player's piles, hand and draw pile. The draw pile has no order: drawing picks any of its cards. */
typedef struct {
    u64 up, down, hand, left; /* left: how many cards to draw */
#ifdef PDEP
    u64 deck;
#else
    uint8_t deck[64];
#endif
} Side;

static inline void draw(Side *side, u64 wanted, u64 *word) {
    for (u64 n = wanted < side->left ? wanted : side->left; n; n--) {
        u64 k = below(word, side->left--);
#ifdef PDEP
        u64 card = _pdep_u64(BIT(k), side->deck);
        side->deck ^= card;
#else
        u64 card = BIT(side->deck[k]);
        side->deck[k] = side->deck[side->left];
#endif
        side->hand |= card;
    }
}

static Side fresh(void) {
    Side side = {.up = BIT(FIRST - 1), .down = BIT(LAST + 1), .left = CARDS};
#ifdef PDEP
    side.deck = BIT(LAST + 1) - BIT(FIRST);
#else
    for (int i = 0; i < CARDS; i++) side.deck[i] = (uint8_t)(FIRST + i);
#endif
    return side;
}

typedef struct { u64 placements, turns, word; } Tally;

/* Play one game from the deal to its end; 1 when the starter wins. */
static int play(const Side *start, Tally *tally) {
    Side side[2] = {*start, *start};
    u64 placements = 0, turns = 0, word = tally->word;
    int who, won;
    draw(&side[0], HAND, &word);
    draw(&side[1], HAND, &word);
    for (who = 0;; who ^= 1) {
        Side *me = &side[who], *foe = &side[who ^ 1];
        u64 hand = me->hand;
        int gave = 0;
        turns++;
        for (int laid = 0;; laid++) {
            u64 up = hand & (above(me->up) | me->up >> 10);
            u64 down = hand & (beneath(me->down) | me->down << 10);
            u64 help_up = gave ? 0 : hand & beneath(foe->up);
            u64 help_down = gave ? 0 : hand & above(foe->down);
            if (laid == 0) { /* only what leaves a second card to lay; on the same pile, a higher one or ten back */
                u64 help = help_up | help_down, own = besides(up | down);
                u64 then_up = beneath(highest(hand)) | hand << 10 | besides(down | help);
                u64 then_down = above(lowest(hand)) | hand >> 10 | besides(up | help);
                up &= then_up, down &= then_down, help_up &= own, help_down &= own;
                if (!(up | down | help_up | help_down)) { won = who != 0; goto over; }
            }
            u64 ups = count(up), downs = count(down), help_ups = count(help_up), help_downs = count(help_down);
            u64 k = below(&word, ups + downs + help_ups + help_downs + (laid >= 2)), card;
            if (k < ups) me->up = card = kth(up, k);
            else if ((k -= ups) < downs) me->down = card = kth(down, k);
            else if ((k -= downs) < help_ups) foe->up = card = kth(help_up, k), gave = 1;
            else if ((k -= help_ups) < help_downs) foe->down = card = kth(help_down, k), gave = 1;
            else break;
            placements++;
            hand ^= card;
            if (!(hand | me->left)) { won = who == 0; goto over; }
        }
        me->hand = hand;
        draw(me, gave ? HAND - count(hand) : 2, &word);
    }
over:
    tally->placements += placements, tally->turns += turns, tally->word = word;
    return won;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s GAMES SEED\n", argv[0]);
        return 2;
    }
    u64 games = strtoull(argv[1], NULL, 10), won = 0;
    Tally tally = {.word = strtoull(argv[2], NULL, 10) | 1};
    Side start = fresh();
    double began = processor_seconds();
    for (u64 i = 0; i < games; i++) won += (u64)play(&start, &tally);
    double seconds = processor_seconds() - began;
    printf("%llu %.6f %llu %llu %llu\n", (unsigned long long)games, seconds, (unsigned long long)tally.placements,
           (unsigned long long)tally.turns, (unsigned long long)won);
    return 0;
}
