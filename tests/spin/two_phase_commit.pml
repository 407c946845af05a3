/* Two-phase commit after Gray and Lamport, as in models/src/two_phase_commit.rs.
 * Every d_step is one transition of the model, and no process has more than one
 * control location, so SPIN's states are the model's states.
 *
 *   spin -a -DN=3 two_phase_commit.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * -DSTUTTER adds the steps that change nothing, as the TLA+ specification has
 * them; -DCRASH lets the transaction manager crash.
 */
#ifndef N
#define N 3
#endif
#ifdef STUTTER
#define NEWS(c) (true)
#else
#define NEWS(c) (c)
#endif

#define WORKING   0
#define PREPARED  1
#define COMMITTED 2
#define ABORTED   3
#define CRASHED   4

byte rm[N];
byte tm;            /* WORKING until it has decided */
byte received[N], promised[N];
byte n_received;    /* how many are received; a function of the above */
bit commit_sent, abort_sent;

#define i _pid
#define UNDECIDED (rm[i] == WORKING || rm[i] == PREPARED)

active [N] proctype resource()
{
end:	do
	/* what the manager does with this one's promise */
	:: d_step { tm == WORKING && promised[i] && NEWS(!received[i]) ->
		n_received = n_received + 1 - received[i]; received[i] = 1 }
	:: d_step { rm[i] == WORKING -> rm[i] = PREPARED; promised[i] = 1 }
	:: d_step { rm[i] == WORKING -> rm[i] = ABORTED }
	:: d_step { commit_sent && NEWS(UNDECIDED) -> rm[i] = COMMITTED }
	:: d_step { abort_sent && NEWS(UNDECIDED) -> rm[i] = ABORTED }
	od
}

active proctype manager()
{
end:	do
	:: d_step { tm == WORKING && n_received == N -> tm = COMMITTED; commit_sent = 1 }
	:: d_step { tm == WORKING -> tm = ABORTED; abort_sent = 1 }
#ifdef CRASH
	:: d_step { tm == WORKING -> tm = CRASHED }
#endif
	od
}
