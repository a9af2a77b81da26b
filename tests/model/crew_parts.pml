/* What the threads of the model share: their state, and the functions of the crew, of its output and of its calls that
   several of them use. crew.pml has the threads. */

#define THREADS 1            /* Settings::threads */
#define CREW (THREADS + 2)   /* 0 is the thread that called run() */
#define NOBODY CREW
#define CALLS 2              /* what the client asks for */
#define POSTED CALLS         /* in the queue: a piece of work that is nobody's call */
#define RELEASE CALLS        /* on the wire: lets calls of the kind `hold` go on */
#define SOFT 0               /* lines */

mtype = { none, reading, handling, outside, paused };          /* Driver */
mtype = { serving, draining, stopping };                       /* Phase */
mtype = { quick, hold, later, ping };                          /* what a message asks for */
mtype = { unknown, open, answering, over };                    /* a call: Call and InFlight */

byte scenario;               /* what the client and others do */
#define lasts      (scenario <= 4)   /* it waits for all answers, then for quiet, and only then ends its input */
#define posting    (scenario == 1)   /* ... while somebody posts work from outside */
#define timing     (scenario == 2)   /* ... while somebody sets a timer */
#define disturbed  (scenario == 3)   /* ... while slow work is posted and a signal breaks off a read */
#define lending    (scenario == 4)   /* ... while the driver reads along for somebody else */
#define ending     (scenario == 5)   /* it ends its input at any moment */
#define stopped    (scenario == 6)   /* the crew is stopped at any moment */
#define leaving    (scenario == 7)   /* it goes away at any moment */
byte script;                 /* what it asks for: kinds 0 to 3; 4 * first + second, or 16 + the only one */
#define asked (script < 16 -> CALLS : 1)
byte hard;                   /* lines above which nothing is read */
bool all_ticks;              /* also those that could change nothing */
byte fault;

/* Crew */
bool locked;
mtype driver = none;
mtype phase = serving;
byte owner = NOBODY;         /* whose epoch it is */
chan queue = [CALLS + 1] of { byte };
byte running, waiting, waking;
byte started = 1;
bool input_over, hung_up, handed_off, flush_wanted, monitor_sleeps, finished;
bool old;                    /* the turn has seen a tick: at the next one the driver is stuck */
bool asleep[CREW];           /* in changed_.wait */
bool held_back;              /* the driver is in may_read_.wait */
bool woken;                  /* WakeUp: the event's count */

/* Output */
byte ready, taken;           /* lines: not yet taken by a writer, and taken */
bool writing, caught_up, gone;

/* The calls, the wire and the client */
mtype asks[CALLS];
mtype call[CALLS];
bool with_outsider[CALLS];
chan wire = [CALLS + 1] of { byte };
bool end_of_input, released;
bool in_read, interrupted;
byte sent, received;
bool post_left, post_run, timer_set, timer_run, foreign, foreign_read;
byte ended;                  /* threads of the crew, and the monitor, that are gone */

#define pending (ready + taken)
#define has_work (len(queue) > 0)
#define above_soft (pending > SOFT)
#define above_hard (pending > hard)
#define has_spare (waiting > waking || started < CREW)
#define may_take_work (has_work && (!above_soft || phase == stopping) && running < THREADS)
#define unanswered(c) (call[c] == open || call[c] == answering)
#define all_answered (!unanswered(0) && !unanswered(1))

/* Members that wait are alike: which one wakes makes no difference. */
inline notify_one() {
  if
  :: asleep[0] -> asleep[0] = false
  :: !asleep[0] && asleep[1] -> asleep[1] = false
  :: !asleep[0] && !asleep[1] && asleep[2] -> asleep[2] = false
  :: else
  fi
}

inline notify_all() { asleep[0] = false; asleep[1] = false; asleep[2] = false }

/* Crew::wake_all */
inline wake_all() { notify_all(); held_back = false }

/* Crew::wake_one */
inline wake_one() {
  if
  :: finished
  :: !finished && waiting > waking -> waking++; notify_one()
  :: !finished && waiting <= waking && started < CREW -> started++
  :: else
  fi
}

inline wake_monitor() { if :: monitor_sleeps -> woken = true :: else fi }

/* Crew::begin_turn */
inline begin_turn() {
  driver = handling; old = false;
  if :: monitor_sleeps && fault != 1 -> monitor_sleeps = false; woken = true :: else fi
}

/* InFlight::cancel_all */
inline cancel(c) { if :: call[c] == open -> call[c] = over :: else fi }

/* Crew::cancel_all; with the lock */
inline cancel_all() {
  locked = false;
  atomic { cancel(0); cancel(1) }
  atomic { !locked -> locked = true }
}

/* Crew::begin_stop; with the lock */
inline begin_stop() {
  if
  :: phase == stopping
  :: else ->
     atomic { phase = stopping; wake_monitor() }
     cancel_all();
     atomic { wake_all() }
  fi
}

/* Output::append */
inline append() { if :: gone :: else -> ready++ fi }

/* Output::drop_everything */
inline drop_everything() { gone = true; ready = 0; taken = 0 }

/* Output::write_ready, its beginning */
inline begin_writing() {
  writing = true;
  if :: taken == 0 -> taken = ready; ready = 0 :: else fi
}

/* Output::write_active after a write of everything, and what write_ready does then */
inline written() {
  if :: above_soft && ready <= SOFT -> caught_up = true :: else fi;
  received = received + taken;
  taken = ready; ready = 0;
  if :: taken == 0 -> stop_writing() :: else fi
}

/* Output::write_ready, its end: `tell` that the output has caught up */
inline stop_writing() { writing = false; tell = caught_up; caught_up = false }

/* Crew::output_caught_up */
inline output_caught_up() {
  atomic { !locked ->
    if
    :: fault != 5 && has_work -> notify_all()
    :: else
    fi;
    if :: fault != 5 && driver == paused -> held_back = false :: else fi
  }
}

/* Crew::flush_soon */
inline flush_soon() {
  atomic { !locked ->
    flush_wanted = true;
    if :: driver == paused -> held_back = false :: else fi;
    wake_one()
  }
}

/* Output::flush(Blocking::yes), without the lock. The client takes its time: the write may happen at any moment. */
inline flush_waiting() {
  do
  :: atomic { pending == 0 || writing || gone -> break }
  :: atomic { pending > 0 && !writing && !gone -> begin_writing() }
     do
     :: atomic { written(); if :: writing :: else -> break fi }
     :: atomic { leaving -> drop_everything(); stop_writing(); break }
     od;
     if :: tell -> tell = false; output_caught_up() :: else -> break fi
  od
}

/* Output::flush(Blocking::no), without the lock. The write takes everything or nothing. */
inline flush_without_waiting() {
  do
  :: atomic { pending == 0 || writing || gone -> break }
  :: atomic { pending > 0 && !writing && !gone -> begin_writing() }
     do
     :: atomic { written(); if :: writing :: else -> break fi }
     :: atomic { stalled = true; stop_writing(); break }
     :: atomic { leaving -> drop_everything(); stalled = true; stop_writing(); break }
     od;
     if
     :: tell -> tell = false; stalled = false; output_caught_up()
     :: !tell && stalled -> stalled = false;
        if :: fault != 9 -> flush_soon() :: else fi;
        break
     :: !tell && !stalled -> break
     fi
  od
}

/* Call::answer: claimed and appended, then settled */
inline answer(c) {
  atomic {
    if :: call[c] == open -> call[c] = answering; append() :: else fi;
    if :: ending :: else -> call[c] = over fi }   /* elsewhere nobody looks in between */
  if :: call[c] == answering -> call[c] = over :: else fi
}

/* A piece of work */
inline run_work(c) {
  if
  :: c == POSTED && (released || !disturbed) -> post_run = true
  :: c != POSTED && asks[c] == quick -> answer(c)
  :: c != POSTED && asks[c] == hold && (released || call[c] == over) -> answer(c)
  :: c != POSTED && asks[c] == later -> with_outsider[c] = true
  fi
}

/* Crew::run_next, up to the work itself; gives the lock back */
inline take_work(c) {
  queue ? c;
  if :: !has_work -> handed_off = false :: else fi;
  if :: handed_off && may_take_work -> wake_one() :: else fi;
  running++;
  assert(running <= THREADS);
  locked = false
}

/* Session::read_turn with the bytes that are there: one message or several */
inline handle_messages(c) {
  do
  :: atomic { len(wire) > 0 && !locked ->
       wire ? c;
       if
       :: c == RELEASE -> released = true
       :: c != RELEASE && asks[c] == ping -> call[c] = over; append()
       :: c != RELEASE && asks[c] != ping -> call[c] = open; queue ! c   /* Crew::enqueue */
       fi }
     if :: true -> break :: len(wire) > 0 fi
  od
}

/* A script: what the client asks for */
inline asks_for(c) {
  if :: kind == 0 -> asks[c] = quick :: kind == 1 -> asks[c] = hold :: kind == 2 -> asks[c] = later :: kind == 3 -> asks[c] = ping fi
}
