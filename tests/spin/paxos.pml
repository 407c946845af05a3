/* Paxos for a single decision, as in models/src/paxos.rs. Every d_step is one transition
 * of the model, and no process has more than one control location, so SPIN's states are
 * the model's states.
 *
 *   spin -a -DN=3 -DBALLOTS=2 paxos.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * -DCARELESS lets a ballot's leader propose anything.
 */
#ifndef N
#define N 3
#endif
#ifndef BALLOTS
#define BALLOTS 2
#endif

byte joined[N], voted[N];
bit open[BALLOTS];
byte promise[BALLOTS * N];  /* 0: none; 1: no vote; b + 2: voted in ballot b */
byte proposed[BALLOTS];     /* 0: nothing; 1 or 2: a value */
bit vote[BALLOTS * N];

#define P(k) promise[b * N + k]
#define COUNT(is) (is(0) + is(1) + ONLY_3(is) + ONLY_4(is))
#if N > 2
#define ONLY_3(is) is(2)
#else
#define ONLY_3(is) 0
#endif
#if N > 3
#define ONLY_4(is) is(3)
#else
#define ONLY_4(is) 0
#endif

#define JOINED(k) (P(k) > 0)
#define WITHOUT(k) (P(k) == 1)
#define UP_TO_0(k) (P(k) > 0 && P(k) <= 2)
#define UP_TO_1(k) (P(k) > 0 && P(k) <= 3)
#define IN_0(k) (P(k) == 2)
#define IN_1(k) (P(k) == 3)
#define MAJORITY(is) (2 * (COUNT(is)) > N)

#ifdef CARELESS
#define MAY_PROPOSE(v) (MAJORITY(JOINED))
#else
#define MAY_PROPOSE(v) (MAJORITY(WITHOUT) \
	|| (b > 0 && proposed[0] == v && COUNT(IN_0) > 0 && MAJORITY(UP_TO_0)) \
	|| (b > 1 && proposed[1 % BALLOTS] == v && COUNT(IN_1) > 0 && MAJORITY(UP_TO_1)))
#endif

#define b _pid
active [BALLOTS] proctype leader()
{
end:	do
	:: d_step { !open[b] -> open[b] = 1 }
	:: d_step { proposed[b] == 0 && MAY_PROPOSE(1) -> proposed[b] = 1 }
	:: d_step { proposed[b] == 0 && MAY_PROPOSE(2) -> proposed[b] = 2 }
	od
}
#undef b

#define i (_pid - BALLOTS)
#define JOIN(b) d_step { open[b] && joined[i] <= b -> \
	promise[b * N + i] = voted[i] + 1; joined[i] = b + 1 }
#define VOTE(b) d_step { proposed[b] && !vote[b * N + i] && joined[i] <= b + 1 -> \
	vote[b * N + i] = 1; joined[i] = b + 1; voted[i] = b + 1 }

active [N] proctype acceptor()
{
end:	do
	:: JOIN(0)
	:: VOTE(0)
#if BALLOTS > 1
	:: JOIN(1)
	:: VOTE(1)
#endif
#if BALLOTS > 2
	:: JOIN(2)
	:: VOTE(2)
#endif
	od
}
