/* The alternating bit protocol over lossy channels, as in
 * models/src/alternating_bit.rs. Every atomic sequence is one transition of the
 * model; b and v are scratch and are 0 between transitions.
 *
 *   spin -a -DCAPACITY=2 [-DLIMITED] alternating_bit.pml
 *   cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c && ./pan -E
 */
#ifndef CAPACITY
#define CAPACITY 2
#endif
#define VALUES 3

#define IDLE    0
#define WAITING 1
#define STOPPED 2

chan frames = [CAPACITY] of { bit, byte };
chan acks   = [CAPACITY] of { bit };

byte sender, value, expected_value, lost;
bit own_bit, expected_bit;
bit b;
byte v;

#ifdef LIMITED
#define MAY_LOSE (lost < 2)
#define LOST     lost++
#define DELIVERED lost = 0
#else
#define MAY_LOSE true
#define LOST     skip
#define DELIVERED skip
#endif

active proctype everything()
{
end:	do
	:: d_step { sender == IDLE -> sender = WAITING }
	:: d_step { sender == WAITING && nfull(frames) -> frames!own_bit,value }
	:: d_step { nempty(frames) && nfull(acks) -> frames?b,v; acks!b;
		if
		:: b == expected_bit ->
			assert(v == expected_value);
			expected_value = (expected_value + 1) % VALUES;
			expected_bit = 1 - expected_bit;
			DELIVERED
		:: else -> skip
		fi;
		b = 0; v = 0 }
	:: d_step { nempty(acks) -> acks?b;
		if
		:: sender == WAITING && b == own_bit ->
			own_bit = 1 - own_bit;
			value = (value + 1) % VALUES;
			sender = IDLE
		:: else -> skip
		fi;
		b = 0 }
	:: d_step { nempty(frames) && MAY_LOSE -> frames?b,v; LOST; b = 0; v = 0 }
	:: d_step { nempty(acks) && MAY_LOSE -> acks?b; LOST; b = 0 }
	:: d_step { sender == IDLE -> sender = STOPPED }
	od
}
