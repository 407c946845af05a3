/* Lamport's bakery, as in models/src/bakery.rs. Every d_step is one transition of the
 * model, and no process has more than one control location, so SPIN's states are the
 * model's states.
 *
 *   spin -a -DN=3 bakery.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * -DIMPATIENT lets customers wait for nobody who is drawing a ticket.
 */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define OUTSIDE      0
#define LOOK         1
#define TAKE         2
#define HAVE         3
#define AWAIT_TICKET 4
#define AWAIT_TURN   5
#define CRITICAL     6

#ifdef IMPATIENT
#define FIRST_WAIT AWAIT_TURN
#else
#define FIRST_WAIT AWAIT_TICKET
#endif

byte at[N], other[N], seen[N], ticket[N], done[N];

#define i _pid
#define j other[_pid]
#define DRAWING(k) (at[k] == LOOK || at[k] == TAKE || at[k] == HAVE)
#define BEFORE(k) (ticket[k] > 0 && (ticket[k] < ticket[i] || (ticket[k] == ticket[i] && k < i)))
#define NEXT(same, last) \
	if \
	:: j == N - 1 -> j = 0; at[i] = last \
	:: else -> j = j + 1; at[i] = same \
	fi

active [N] proctype customer()
{
end:	do
	:: d_step { at[i] == OUTSIDE && done[i] < ROUNDS -> done[i]++; at[i] = LOOK }
	:: d_step { at[i] == LOOK ->
		if
		:: ticket[j] > seen[i] -> seen[i] = ticket[j]
		:: else
		fi;
		NEXT(LOOK, TAKE) }
	:: d_step { at[i] == TAKE -> ticket[i] = seen[i] + 1; seen[i] = 0; at[i] = HAVE }
	:: d_step { at[i] == HAVE -> at[i] = FIRST_WAIT }
	:: d_step { at[i] == AWAIT_TICKET && !DRAWING(j) -> at[i] = AWAIT_TURN }
	:: d_step { at[i] == AWAIT_TURN && !BEFORE(j) -> NEXT(FIRST_WAIT, CRITICAL) }
	:: d_step { at[i] == CRITICAL -> ticket[i] = 0; at[i] = OUTSIDE }
	od
}
