/* Dining philosophers, as in models/src/philosophers.rs. Every d_step is one
 * transition of the model.
 *
 *   spin -a -DN=5 [-DDEADLOCKING] philosophers.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 *
 * Without -E, and with -DDEADLOCKING, SPIN reports the deadlock.
 */
#ifndef N
#define N 5
#endif

byte at[N];     /* 0 thinking, 1 has first, 2 eating, 3 putting back, 4 gone */
byte fork[N];   /* 0 on the table, otherwise 1 + who holds it */

#define i      _pid
#define LEFT   i
#define RIGHT  ((i + 1) % N)
#ifdef DEADLOCKING
#define FIRST  LEFT
#define SECOND RIGHT
#else
#define FIRST  (i == 0 -> RIGHT : LEFT)
#define SECOND (i == 0 -> LEFT : RIGHT)
#endif

active [N] proctype philosopher()
{
	do
	:: d_step { at[i] == 0 && fork[FIRST] == 0 -> fork[FIRST] = i + 1; at[i] = 1 }
	:: d_step { at[i] == 1 && fork[SECOND] == 0 -> fork[SECOND] = i + 1; at[i] = 2 }
	:: d_step { at[i] == 2 -> fork[SECOND] = 0; at[i] = 3 }
	:: d_step { at[i] == 3 -> fork[FIRST] = 0; at[i] = 0 }
	:: d_step { at[i] == 0 -> at[i] = 4 }
	od
}
