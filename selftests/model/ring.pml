/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring buffer of markers/ring*.c as a model for spin: one CPU with a writer
 * and an interrupt that writes or flushes in the middle of it, and a reader on
 * another CPU.  Every access to shared memory is a step of its own, so spin tries
 * all ways to interleave them (with sequential consistency, which the barriers in
 * ring_internal.h provide).
 *
 * The model counts units, not bytes: a sub-buffer has SIZE of them, its header one, a
 * record one.  With -DLONG=n an interrupt's record has n units, as the records of a
 * recording differ in size with their fields, contexts and stacks.  A writer writes a
 * record in two steps, so that a torn one shows.  The names are those of the C code.
 *
 * Left out: time, except whether last_ts may be used; the bound of tries, which is far above
 * those here; wake-ups, stopped rings, peeking readers.
 *
 *	-DOVERWRITE	flight recorder mode; else discard
 *	-DBROKEN=n	break something, so that the check must fail:
 *		1	deliver before all records are committed
 *		2	overwrite a sub-buffer that is not complete
 *		3	commit before the record is written
 *		4	drop an event without counting it
 *		5	the reader does not put a buffer in the place of its packet
 *		6	a cmpxchg of the offset that always succeeds
 *		7	the same in the fast path
 *		8	the fast path does not check whether the recent slot is the right one
 *		9	a slot's start is set before its base
 *		10	a writer that was refused a slot checks only its sequence number later
 *		11	the recent slot is not set again after an interrupt has opened another
 *		12	it is not hidden from the fast path of an interrupt
 *		13	"full" does not look at the size of the record (with -DLONG)
 *	-DNEVER=e	claim that e is never true in the end, to show that it can be:
 *		"lost", "overwritten", "read_events == offered"
 *
 *	-DNEVER_FULL	the same for ring_is_full()
 *
 * Checked: the reader gets no record torn, unwritten, or twice; the number of records in
 * each packet is right; the fast path never uses a last_ts that is late (for that a
 * sub-buffer has -DSIZE=5); in the end written == read + lost + overwritten, and the
 * recent slot is that of the newest sub-buffer.
 */
#ifndef BROKEN
#define BROKEN 0
#endif

#ifndef SIZE
#define SIZE	4		/* units of a sub-buffer */
#endif
#define NR	2		/* slots */
#define BUFS	(NR + 1)
#ifndef TASK_EVENTS
#define TASK_EVENTS 3
#endif
#ifndef IRQS
#define IRQS	3
#endif
#define EVENTS	(TASK_EVENTS + IRQS)

/* a record's units; those after the first one have REST added */
#ifdef LONG
#define LEN(irq)	(irq -> LONG : 1)
#else
#define LEN(irq)	1
#endif
#define REST	100

#define OPEN		0
#define DELIVERED	1
#define CONSUMED	2

#define TORN		255
#define NOTHING		255	/* no position is in it */
#define NONE		NR	/* the slot that has none */

/* slot.word; each is read and written as a whole, in one step */
byte word_seq[NR], word_state[NR], word_buf[NR];
/* slot.commit */
byte commit_units[NR], commit_events[NR];
/* buffers: their units, and struct ring_buf */
byte unit[BUFS * SIZE];
byte buf_size[BUFS], buf_events[BUFS];

/* slot.start, slot.base: the buffer stands for its address */
byte slot_start[NR + 1], slot_base[NR + 1];
byte recent = NONE;		/* NONE: ring_nothing_open */
/* slot.refused, a word: of the next slot */
byte refused_seq[NR], refused_state[NR], refused_buf[NR];

bool late;			/* last_ts is not yet that of the newest record */
byte offset;			/* never wraps here either */
byte lost, overwritten, read_events, offered;
byte spare;
bool seen[EVENTS + 1];		/* records that the reader got */
bool in_irq;			/* the task does not run */
bool irqs_done, task_done;
byte next_id = 1;

/* is_busy() */
#if BROKEN == 2
#define IS_BUSY(state)	(false)
#elif defined(OVERWRITE)
#define IS_BUSY(state)	(state == OPEN)
#else
#define IS_BUSY(state)	(state == OPEN || state == DELIVERED)
#endif

#if BROKEN == 4
#define LOSE	skip
#else
#define LOSE	lost++
#endif

/* The task makes a step only while no interrupt runs on its CPU. */
#define STEP(irq)	(irq || !in_irq)

/* ring_deliver() and the addition before it: local to the CPU. */
inline commit(irq, slot, units, events)
{
	bool complete;
	byte nr;

	atomic {
		STEP(irq);
		commit_units[slot] = commit_units[slot] + units;
		commit_events[slot] = commit_events[slot] + events;
		complete = (commit_units[slot] == SIZE);
#if BROKEN == 1
		complete = complete || events;
#endif
		nr = commit_events[slot];
	}
	if
	:: complete ->
		atomic { STEP(irq); buf_events[word_buf[slot]] = nr; }
		atomic { STEP(irq); commit_units[slot] = 0; commit_events[slot] = 0; }
		atomic { STEP(irq); word_state[slot] = DELIVERED; complete = false; nr = 0; }
	:: else
	fi
}

/* claim(): makes the slot of a sequence number OPEN; busy says that it cannot. */
inline claim(irq, seq, busy)
{
	byte w_seq, w_state, w_buf, w_events;

	busy = false;
	do
	:: atomic {
		STEP(irq);
		w_seq = word_seq[seq % NR];
		w_state = word_state[seq % NR];
		w_buf = word_buf[seq % NR];
	   }
	   if
	   :: w_seq >= seq -> break
	   :: w_seq < seq && IS_BUSY(w_state) -> busy = true; break
	   :: else
	   fi;
	   atomic { STEP(irq); w_events = (w_state == DELIVERED -> buf_events[w_buf] : 0); }
	   atomic {
		STEP(irq);
		if
		:: word_seq[seq % NR] == w_seq && word_state[seq % NR] == w_state &&
		   word_buf[seq % NR] == w_buf ->
			word_seq[seq % NR] = seq;
			word_state[seq % NR] = OPEN;
			overwritten = overwritten + w_events;
			w_seq = seq;
		:: else
		fi
	   }
	   if
	   :: w_seq == seq -> break
	   :: else
	   fi
	od;
	w_seq = 0; w_state = 0; w_buf = 0; w_events = 0;
}

/* close_subbuf() */
inline close(irq, pos)
{
	atomic { STEP(irq); buf_size[word_buf[(pos / SIZE) % NR]] = pos % SIZE; }
	commit(irq, (pos / SIZE) % NR, SIZE - pos % SIZE, 0);
}

/* move_offset(), before its cmpxchg; and after it, with set_recent() */
inline hide_recent(irq)
{
#if BROKEN != 12
	atomic { STEP(irq); recent = NONE; }
#else
	skip
#endif
}

inline set_recent(irq, seq, moved)
{
	if
	:: moved -> atomic { STEP(irq); late = false; }
	:: else
	fi;
	do
	:: atomic { STEP(irq); seq = (offset - 1) / SIZE; }
#if BROKEN == 11
	   atomic { STEP(irq); recent = seq % NR; seq = 0; } break
#else
	   atomic { STEP(irq); recent = seq % NR; }
	   if
	   :: atomic { STEP(irq) && (offset - 1) / SIZE == seq -> seq = 0; } break
	   :: atomic { STEP(irq) && (offset - 1) / SIZE != seq -> skip; }
	   fi
#endif
	od
}

/* open_subbuf(); reserve_fast() reads the variables that it sets */
inline open_slot(irq, slot, first)
{
	byte buf;

	atomic { STEP(irq); buf = word_buf[slot]; }
#if BROKEN == 9
	atomic { STEP(irq); slot_start[slot] = first; }
	atomic { STEP(irq); slot_base[slot] = buf; }
#else
	atomic { STEP(irq); slot_base[slot] = buf; }
	atomic { STEP(irq); slot_start[slot] = first; }
#endif
	buf = 0;
	commit(irq, slot, 1, 0);		/* the header */
}

/* ring_look() and ring_take(): a place in the sub-buffer that is open; or neither succeeded */
inline reserve_fast(irq, pos, slot, at, won)
{
	atomic { STEP(irq); pos = offset; }
	atomic { STEP(irq); slot = recent; }
	atomic {
		STEP(irq);
		won = pos >= slot_start[slot] && pos + LEN(irq) - slot_start[slot] < SIZE;
#if BROKEN == 8
		won = pos % SIZE != 0 && pos % SIZE + LEN(irq) < SIZE;
#endif
	}
	if
	:: won ->
		atomic {
			STEP(irq);
#if BROKEN != 7
			won = (offset == pos);
#endif
			if
			:: won -> offset = pos + LEN(irq); assert(!late)
			:: else
			fi
		}
		if
		:: won -> atomic { STEP(irq); at = slot_base[slot] * SIZE + pos % SIZE; }
		:: else
		fi
	:: else
	fi
}

/* ring_reserve_slow(): all cases; slot NR: lost */
inline reserve_slow(irq, pos, slot, at, won)
{
	byte start, t_seq, t_state, t_buf;
	bool busy;

	/* before the work: can it succeed at all? */
	atomic { STEP(irq); pos = offset; }
	start = (pos + SIZE - 1) / SIZE;
	if
	:: pos % SIZE == 0 || pos % SIZE + LEN(irq) >= SIZE ->
		atomic {
			STEP(irq);
			t_seq = word_seq[start % NR];
			t_state = word_state[start % NR];
			t_buf = word_buf[start % NR];
			busy = t_seq < start && IS_BUSY(t_state);
		}
	:: else
	fi;
	if
	:: busy ->
		atomic {
			STEP(irq);
			refused_seq[(start - 1) % NR] = t_seq;
			refused_state[(start - 1) % NR] = t_state;
			refused_buf[(start - 1) % NR] = t_buf;
		}
	:: else
	fi;
	t_seq = 0; t_state = 0; t_buf = 0;

	do
	:: busy -> atomic { STEP(irq); LOSE; slot = NR; } break
	:: !busy ->
	   atomic { STEP(irq); pos = offset; }
	   if
	   :: pos % SIZE != 0 && pos % SIZE + LEN(irq) < SIZE ->
		start = pos; busy = false
	   :: else ->
		start = (pos % SIZE -> (pos / SIZE + 1) * SIZE : pos) + 1;
		claim(irq, start / SIZE, busy);
	   fi;
	   if
	   :: !busy ->
		hide_recent(irq);
		atomic {
			STEP(irq);
#if BROKEN == 6
			won = true;
#else
			won = (offset == pos);
#endif
			if
			:: won -> offset = start + LEN(irq); slot = (start / SIZE) % NR; late = true
			:: else
			fi
		}
		set_recent(irq, at, won);
		if
		:: won -> break
		:: else
		fi
	   :: else
	   fi
	od;
	if
	:: slot != NR ->
		if
		:: start != pos ->
			if
			:: pos % SIZE -> close(irq, pos)
			:: else
			fi;
			open_slot(irq, slot, start - start % SIZE)
		:: else
		fi;
		atomic { STEP(irq); at = word_buf[slot] * SIZE + start % SIZE; }
	:: else
	fi;
	start = 0; busy = false
}

/*
 * ring_is_full(): is it certain that there is no room?  Then there is none when the word is
 * loaded.
 */
inline is_full(irq, pos, slot, no_room)
{
	byte f_seq, f_state, f_buf, f_pos;
	bool hopeless;

	atomic {
		STEP(irq);
		f_seq = refused_seq[slot];
		f_state = refused_state[slot];
		f_buf = refused_buf[slot];
	}
	atomic {
		STEP(irq);
		no_room = pos >= slot_start[slot] && pos + LEN(irq) - slot_start[slot] >= SIZE;
#if BROKEN == 13
		no_room = true;
#endif
	}
	atomic {
		STEP(irq);
		f_pos = offset;
		hopeless = f_pos % SIZE == 0 || f_pos % SIZE + LEN(irq) >= SIZE;
		f_pos = (f_pos + SIZE - 1) / SIZE;
		hopeless = hopeless && word_seq[f_pos % NR] < f_pos && IS_BUSY(word_state[f_pos % NR]);
		f_pos = 0;
		slot = (slot + 1) % NR;
#if BROKEN != 10
		no_room = no_room && word_seq[slot] == f_seq && word_state[slot] == f_state &&
			word_buf[slot] == f_buf;
#else
		no_room = no_room && word_seq[slot] == f_seq;
#endif
		assert(!no_room || hopeless);
		f_seq = 0; f_state = 0; f_buf = 0; hopeless = false;
	}
}

inline set_units(irq, at, first, rest)
{
	unit[at] = first;
#ifdef LONG
	for (left : 1 .. LEN(irq) - 1) {
		unit[at + left] = rest;
	}
	left = 0;
#endif
}

/* marker_quick_record() or marker_record(), ring_commit() */
inline write_event(irq)
{
	byte pos, slot, id, at;
	bool won, no_room;
#ifdef LONG
	byte left;
#endif

	atomic { STEP(irq); id = next_id; next_id++; offered++; }
	reserve_fast(irq, pos, slot, at, won);
	if
	:: !won ->
		/* No writer was refused in NONE. */
		if
		:: slot != NONE -> is_full(irq, pos, slot, no_room)
		:: else -> slot = 0
		fi;
		if
		:: no_room ->
#ifdef NEVER_FULL
			assert(false);
#endif
			atomic { STEP(irq); LOSE; slot = NR; no_room = false; }
		:: else -> reserve_slow(irq, pos, slot, at, won)
		fi
	:: else
	fi;
	if
	:: slot != NR ->
#if BROKEN == 3
		commit(irq, slot, LEN(irq), 1);
#endif
		atomic { STEP(irq); set_units(irq, at, TORN, TORN); }
		atomic { STEP(irq); set_units(irq, at, id, id + REST); }
#if BROKEN != 3
		commit(irq, slot, LEN(irq), 1);
#endif
	:: else
	fi;
	atomic { pos = 0; slot = 0; id = 0; at = 0; won = false; }
}

/* close_current(): a flush runs this on the CPU */
inline flush(irq)
{
	byte fpos, fseq;
	bool fwon;

	do
	:: atomic { STEP(irq); fpos = offset; }
	   if
	   :: fpos % SIZE == 0 -> break
	   :: else
	   fi;
	   hide_recent(irq);
	   atomic {
		STEP(irq);
		fwon = (offset == fpos);
		if
		:: fwon -> offset = (fpos / SIZE + 1) * SIZE; late = true
		:: else
		fi
	   }
	   set_recent(irq, fseq, fwon);
	   if
	   :: fwon -> close(irq, fpos); break
	   :: else
	   fi
	od;
	atomic { fpos = 0; fwon = false; }
}

proctype task()
{
	byte n;

	do
	:: n < TASK_EVENTS -> write_event(false); n++
	:: else -> break
	od;
	n = 0;
	!in_irq;
	task_done = true
}

proctype irq()
{
	byte m;

	do
	:: m < IRQS ->
		atomic { !in_irq; in_irq = true; }
		if
		:: write_event(true)
		:: flush(true)
		fi;
		in_irq = false;
		m++
	:: m < IRQS -> m++		/* or the interrupt does not come */
	:: else -> break
	od;
	m = 0;
	irqs_done = true
}

/* ring_get(), and the check of the packet */
inline get(got)
{
	byte r_seq, r_state, r_buf, i, records, value, begun;

	got = false;
	do
	:: atomic {
		r_seq = word_seq[read_seq % NR];
		r_state = word_state[read_seq % NR];
		r_buf = word_buf[read_seq % NR];
	   }
	   if
	   :: r_seq < read_seq -> break
	   :: r_seq > read_seq -> read_seq = r_seq - (NR - 1)
	   :: r_seq == read_seq && r_state == OPEN -> break
	   :: r_seq == read_seq && r_state == CONSUMED -> read_seq++
	   :: else ->
		atomic {
			if
			:: word_seq[read_seq % NR] == r_seq &&
			   word_state[read_seq % NR] == r_state &&
			   word_buf[read_seq % NR] == r_buf ->
				word_state[read_seq % NR] = CONSUMED;
#if BROKEN != 5
				word_buf[read_seq % NR] = spare;
#endif
				got = true;
			:: else
			fi
		}
		if
		:: got -> break
		:: else
		fi
	   fi
	od;
	if
	:: got ->
		atomic { spare = r_buf; read_seq++; i = 1; }
		do
		:: i < buf_size[r_buf] ->
			value = unit[r_buf * SIZE + i];
			assert(value != 0 && value != TORN);
			atomic {
				if
				:: value <= REST ->
					assert(value <= EVENTS && !seen[value]);
					seen[value] = true;
					records++;
					begun = value
				:: else -> assert(value == begun + REST)
				fi;
				unit[r_buf * SIZE + i] = 0;
				i++;
			}
		:: else -> break
		od;
		assert(records == buf_events[r_buf]);
		atomic { read_events = read_events + records; }
	:: else
	fi;
	atomic { r_seq = 0; r_state = 0; r_buf = 0; i = 0; records = 0; value = 0; begun = 0; }
}

proctype reader()
{
	byte read_seq = NR;
	bool got, end;

	do
	:: !end ->
		end = task_done && irqs_done;
		if
		:: end -> flush(true)	/* no other task runs on that CPU any more */
		:: else
		fi;
		do
		:: get(got);
		   if
		   :: !got -> break
		   :: else
		   fi
		od
	:: else -> break
	od;
	assert(offered == read_events + lost + overwritten);
	assert(offset == NR * SIZE || recent == ((offset - 1) / SIZE) % NR);
#ifdef NEVER
	assert(!(NEVER))
#endif
}

init {
	byte b;

	atomic {
		do
		:: b < NR ->
			word_seq[b] = b;
			word_state[b] = CONSUMED;
			word_buf[b] = b;
			slot_start[b] = NOTHING;
			refused_seq[b] = NOTHING;
			b++
		:: else -> break
		od;
		slot_start[NONE] = NOTHING;
		spare = NR;
		offset = NR * SIZE;
		b = 0;
	}
	atomic { run task(); run irq(); run reader() }
}
