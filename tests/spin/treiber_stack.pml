/* Treiber's stack, as in models/src/treiber_stack.rs. Every d_step is one transition of
 * the model, and no process has more than one control location, so SPIN's states are the
 * model's states.
 *
 *   spin -a -DTAGS=16 treiber_stack.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 */
#ifndef N
#define N 2
#endif
#ifndef NODES
#define NODES 3
#endif
#ifndef OPS
#define OPS 3
#endif
#ifndef TAGS
#define TAGS 16
#endif

#define IDLE       0
#define READ_NEXT  1
#define SWING_DOWN 2
#define LINK       3
#define SWING_UP   4

byte top, tag;
byte below[NODES];      /* the node below, counted from one more, 0 at first */
byte holder[NODES];     /* one more than its thread; 0 for nobody */
byte at[N], seen[N], seen_tag[N], node[N], done[N];

#define i _pid
#define BELOW(k) ((k + 1 + below[k]) % (NODES + 1))
#define SET_BELOW(k, v) below[k] = (v + NODES - k) % (NODES + 1)
#define FORGET at[i] = IDLE; seen[i] = 0; seen_tag[i] = 0; node[i] = 0
#define LOOK(then) \
	if \
	:: then == READ_NEXT && top == NODES -> FORGET \
	:: else -> seen[i] = top; seen_tag[i] = tag; at[i] = then \
	fi
#define UNCHANGED (top == seen[i] && tag == seen_tag[i])
#define SWING top = node[i]; tag = (tag + 1) % TAGS; FORGET

active [N] proctype thread()
{
end:	do
	:: d_step { at[i] == IDLE && done[i] < OPS -> done[i]++; LOOK(READ_NEXT) }
	:: d_step { at[i] == IDLE && done[i] < OPS && holder[0] == i + 1 ->
		done[i]++; node[i] = 0; LOOK(LINK) }
	:: d_step { at[i] == IDLE && done[i] < OPS && holder[1] == i + 1 ->
		done[i]++; node[i] = 1; LOOK(LINK) }
#if NODES > 2
	:: d_step { at[i] == IDLE && done[i] < OPS && holder[2] == i + 1 ->
		done[i]++; node[i] = 2; LOOK(LINK) }
#endif
	:: d_step { at[i] == READ_NEXT -> node[i] = BELOW(seen[i]); at[i] = SWING_DOWN }
	:: d_step { at[i] == LINK -> SET_BELOW(node[i], seen[i]); at[i] = SWING_UP }
	:: d_step { at[i] == SWING_DOWN ->
		if
		:: UNCHANGED -> holder[seen[i]] = i + 1; SWING
		:: else -> node[i] = 0; LOOK(READ_NEXT)
		fi }
	:: d_step { at[i] == SWING_UP ->
		if
		:: UNCHANGED -> holder[node[i]] = 0; SWING
		:: else -> LOOK(LINK)
		fi }
	od
}
