/* The crew of a session (framework/src/runtime/crew.hpp) as a model for spin. README.md says which step stands for which
   function, what is left out, and what is proved. check.sh builds and runs it.

   A section under the crew's mutex is one step, or several with `locked` set where it looks twice at what others change
   without that mutex. Numbers after `fault` break one thing each; every one of them is to be found. */

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

/* Crew::work, Crew::drive, Crew::drive_once */
proctype Thread(byte me) {
  byte c;
  bool tell, driving;

  atomic { started > me || finished -> if :: started <= me -> goto gone_home :: else fi }

work:
  atomic { !locked ->
    if
    :: finished -> goto gone_home
    :: !finished && driver == none && !input_over && phase == serving ->
       owner = me; driver = handling; old = false; driving = true; locked = true;
       goto turn
    :: else
    fi;
    if
    :: may_take_work -> take_work(c); goto at_work
    :: else
    fi;
    if
    :: flush_wanted -> flush_wanted = false; goto flush
    :: else
    fi;
    waiting++; asleep[me] = true }
  atomic { !asleep[me] && !locked ->
    waiting--;
    if :: waking > 0 -> waking-- :: else fi;
    goto work }

at_work:
  run_work(c);
  atomic { !locked ->
    running--; c = 0;
    if
    :: driving && (owner == me || fault == 4) -> driver = handling; locked = true; goto turn
    :: else
    fi;
    driving = false;
    if :: pending > 0 && fault != 11 -> goto flush :: else -> goto work fi }

flush:                                    /* Crew::flush */
  flush_waiting();
  atomic { !locked ->
    locked = true;
    if :: fault == 5 && has_work -> wake_all() :: else fi;
    if :: gone && phase != stopping -> goto deserted :: else fi;
flush_ends:
    if
    :: driving && owner == me -> driver = handling; goto flushed
    :: driving && owner != me -> driving = false; locked = false; if :: pending > 0 -> goto flush :: else -> goto work fi
    :: !driving -> locked = false; goto work
    fi }

deserted:
  begin_stop();
  atomic { goto flush_ends }

turn:                                     /* Crew::drive_once, with the lock */
  atomic {
    if
    :: !handed_off && may_take_work && has_spare -> driver = outside; take_work(c); goto at_work
    :: else
    fi }
  atomic { if :: pending > 0 -> driver = outside; locked = false; goto flush :: else fi }
flushed:
  atomic {
    if :: phase != serving -> goto resign :: else fi;
    if :: has_work -> wake_one() :: else fi;
    if
    :: above_hard && !hung_up -> driver = paused; held_back = true; locked = false
    :: else ->
       driver = reading; locked = false;
       if :: stopped -> goto read :: else -> assert(!in_read); in_read = true; goto in_transport fi
    fi }
  atomic { !held_back && !locked -> locked = true; driver = handling; goto turn }

read:                                     /* Transport::read: an interrupt that comes before in_read is lost */
  atomic { assert(!in_read && driver == reading); in_read = true }
in_transport:
  if
  :: atomic { len(wire) > 0 && !interrupted -> in_read = false }
     atomic { !locked -> begin_turn() }   /* Crew::turn_begins */
     handle_messages(c);
     atomic { !locked -> locked = true; c = 0; assert(owner == me && driver == handling) }
  :: atomic { foreign && !interrupted -> in_read = false; foreign = false }
     atomic { !locked -> running++; begin_turn(); driver = outside }   /* Crew::other_turn_begins */
     foreign_read = true;
     atomic { !locked ->
       running--;
       if
       :: owner == me -> locked = true; driver = handling
       :: else -> driving = false; if :: pending > 0 -> goto flush :: else -> goto work fi
       fi }
  :: atomic { interrupted -> in_read = false; interrupted = false }
     atomic { !locked -> locked = true; if :: fault != 7 -> begin_turn() :: else -> driver = handling fi }
  :: atomic { end_of_input && len(wire) == 0 && !interrupted -> in_read = false }
     atomic { !locked -> begin_turn() }
     atomic { !locked ->
       locked = true; input_over = true;  /* Crew::input_ended */
       if :: phase == serving -> phase = draining; wake_monitor() :: else fi }
  fi;
  if :: phase == stopping && fault != 14 -> cancel_all() :: else fi;
  if :: !input_over -> goto turn :: else fi;

resign:
  atomic {
    assert(owner == me);
    driver = none; owner = NOBODY; driving = false; locked = false;
    if :: pending > 0 -> goto flush :: else -> goto work fi }

gone_home:
  ended++
}

/* Crew::replace_driver_if_stuck */
inline replace_driver_if_stuck() {
  if
  :: driver == outside && old && has_spare ->
     if :: fault == 4 :: else -> owner = NOBODY fi;
     driver = none;
     handed_off = has_work;
     if :: fault == 3 :: else -> wake_one() fi
  :: else
  fi;
  old = true
}

/* Crew::tick, its last part but one */
inline look_at_paused_driver() {
  if
  :: driver == paused ->
     if
     :: fault == 8 && end_of_input && phase == serving -> input_over = true; phase = draining
     :: fault != 8 -> hung_up = end_of_input
     :: else
     fi;
     held_back = false
  :: else
  fi
}

/* What a tick could change. A tick that could change nothing is no step of the model: if all the rest waits for others as
   well, that is a deadlock and no quiet loop of ticks. */
#define nothing_left (running == 0 && driver != handling && (gone || (!has_work && (phase == stopping || all_answered) && pending == 0)))
#define work_for_a_member ((pending > 0 && !writing && !gone) || may_take_work)
#define tick_matters ( finished || (gone && phase != stopping) || \
  (driver == outside && (!old || has_spare)) || \
  (driver == paused && (!above_hard || (end_of_input && !hung_up))) || \
  (driver == reading && phase == serving) || \
  (driver == reading && phase == stopping && in_read && !interrupted) || \
  (phase != serving && (nothing_left || (work_for_a_member && has_spare))) )

/* Crew::sleep_time; with the lock, which it gives back */
inline go_to_sleep() {
  watching = (driver != reading || phase != serving);
  alarm = (timer_set && !timer_run);      /* Timers::next: poll ends then */
  if
  :: fault == 2
  :: else -> monitor_sleeps = !watching
  fi;
  locked = false
}

/* Crew::monitor: WakeUp::sleep, tick, sleep_time */
proctype Monitor() {
  bool tell, stalled, watching, alarm, may_end;

  watching = true;
tick:
  atomic { !locked && ((watching && (all_ticks || tick_matters)) || woken || alarm) ->
    woken = false; monitor_sleeps = false; alarm = false; locked = true;
    if :: finished -> locked = false; goto gone_home :: else fi;
    if :: timer_set && !timer_run -> goto run_due :: else fi }
accept_tick:
  atomic {
    replace_driver_if_stuck();
    look_at_paused_driver();
    if
    :: phase == serving && !gone -> go_to_sleep(); if :: fault == 2 -> goto asleep_again :: else -> goto tick fi
    :: else
    fi }
  if :: gone -> begin_stop() :: else fi;
  /* Crew::advance_phase, Crew::nothing_left */
  atomic {
    if
    :: phase == stopping && driver == reading -> if :: in_read -> interrupted = true :: else fi; may_end = false
    :: else -> may_end = (running == 0 && (driver != handling || fault == 12))
    fi;
    if
    :: may_end && !gone && fault != 6 -> may_end = (!has_work && (phase == stopping || all_answered))
    :: may_end && !gone && fault == 6 -> may_end = (!has_work && pending == 0)
    :: else
    fi }
  atomic {
    if
    :: may_end && !gone && fault != 6 -> may_end = (pending == 0)
    :: may_end && !gone && fault == 6 -> may_end = (phase == stopping || all_answered)
    :: else
    fi;
    if :: may_end -> may_end = false; finished = true; wake_all(); locked = false; goto gone_home :: else fi;
    if :: has_work || pending > 0 -> flush_wanted = (flush_wanted || pending > 0); wake_one() :: else fi;
    go_to_sleep() }
asleep_again:
  if :: fault == 2 -> monitor_sleeps = !watching :: else fi;
  goto tick;

run_due:                                  /* Timers::run_due */
  atomic { locked = false; timer_run = true }
  flush_without_waiting();
  atomic { !locked -> locked = true; goto accept_tick }

gone_home:
  ended++
}

/* A thread outside of the crew: answers calls, posts a piece of work, sets a timer */
proctype Outsider() {
  bool tell, stalled;

  do
  :: atomic { with_outsider[0] -> with_outsider[0] = false } answer(0); flush_without_waiting()
  :: atomic { with_outsider[1] -> with_outsider[1] = false } answer(1); flush_without_waiting()
  :: atomic { post_left && !locked ->     /* Crew::post */
       post_left = false;
       if
       :: finished
       :: else -> queue ! POSTED; if :: driver != handling && fault != 10 -> wake_one() :: else fi
       fi }
  :: atomic { timing && !timer_set -> timer_set = true }   /* Crew::at */
     atomic { !locked -> if :: fault != 13 -> wake_monitor() :: else fi }
  :: atomic { lending && !foreign_read -> foreign = true; foreign_read }
  :: ended == CREW + 1 -> break
  od
}

/* Crew::stop, from anywhere */
proctype Stopper() {
  atomic { !locked -> locked = true }
  begin_stop();
  locked = false
}

/* A signal that concerns nobody breaks off a read. */
proctype Disturber() { atomic { in_read || ended == CREW + 1 -> interrupted = in_read } }

/* Asks CALLS times, or fewer if it may end at any moment, and lets all go on. */
proctype Client() {
  do
  :: atomic { sent < asked -> wire ! sent; sent++ }
  :: sent == asked || ending || leaving -> break
  od;
  wire ! RELEASE;
  if
  :: lasts -> received == sent && (post_run || !(posting || disturbed)) && (!timing || timer_run) && (!lending || foreign_read) && monitor_sleeps
  :: stopped -> goto waits
  :: else
  fi;
  end_of_input = true;
waits:
  ended == CREW + 1;
  assert(running == 0);
  if
  :: lasts || ending -> assert(received == sent && pending == 0 && !has_work && !writing)
  :: stopped -> assert(received <= sent && !has_work)
  :: leaving -> assert(received <= sent)
  fi
}

inline asks_for(c) {
  if :: kind == 0 -> asks[c] = quick :: kind == 1 -> asks[c] = hold :: kind == 2 -> asks[c] = later :: kind == 3 -> asks[c] = ping fi
}

init {
  byte kind;
  c_code { now.scenario = atoi(getenv("SCENARIO")); };
  c_code { now.script = atoi(getenv("SCRIPT")); };
  c_code { now.hard = atoi(getenv("HARD")); };
  c_code { now.all_ticks = atoi(getenv("ALL_TICKS")); };
  c_code { now.fault = atoi(getenv("FAULT")); };
  atomic {
    call[0] = unknown; call[1] = unknown;
    if :: script < 16 -> kind = script / 4 :: else -> kind = script - 16 fi;
    asks_for(0);
    kind = script % 4;
    asks_for(1);
    kind = 0;
    post_left = posting || disturbed;
    run Thread(0); run Thread(1); run Thread(2);
    run Monitor(); run Outsider(); run Client();
    if :: stopped -> run Stopper() :: else fi;
    if :: disturbed -> run Disturber() :: else fi
  }
}
