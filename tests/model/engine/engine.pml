/* The engine (one set of threads, one wait for many peers) as a model for spin. README.md says which step stands for which
   function, what is left out, and what is proved. check.sh builds and runs it.

   A section under the engine's mutex is one step, or several with `locked` set where it looks twice at what others change
   without that mutex. -DFAULT=n breaks one thing; every one of them is to be found. */

#include "engine_parts.pml"

/* Engine::work, drive, drive_once */
proctype Thread(byte me) {
  byte c, j, e, k;         /* a channel, a job, events, a message */
  bool tell, stalled, driving;

  atomic { started > me || finished -> if :: started <= me -> goto gone_home :: else fi }

work:
  atomic { !locked ->
    if
    :: finished -> goto gone_home
    :: !finished && driver == none ->
       owner = me; driver = handling; driving = true; locked = true;
       goto turn
    :: else
    fi;
    if :: may_take_any -> take_work(c, j); goto at_work :: else fi;
    if :: flush_wanted -> flush_wanted = false; goto flush :: else fi;
    waiting++; asleep[me] = true }
  atomic { !asleep[me] && !locked ->
    waiting--;
    if :: waking > 0 -> waking-- :: else fi;
    goto work }

at_work:
  run_job(c, j);
  atomic { !locked ->
    assert(!finished || abandoned);
    if :: j >= PARSE -> parsers-- :: else -> running--; busy[c]-- fi;
    c = 0; j = 0;
    if
    :: driving && (owner == me || FAULT == 4) -> driver = handling; locked = true; goto turn
    :: else
    fi;
    driving = false;
    if :: any_flushable && FAULT != 11 -> goto flush :: else -> goto work fi }

flush:                                    /* Engine::flush: what is ready of every channel */
  do
  :: atomic { !any_flushable -> break }
  :: atomic { any_flushable && !locked ->
       if :: flushable(0) -> c = 0 :: flushable(1) -> c = 1 :: flushable(2) -> c = 2 fi;
       begin_writing(c);
       if :: !one_source -> write_at_once(c); goto wrote :: else fi }
     write_waiting(c);
wrote:
     if
     :: atomic { (tell || stalled || gone[c] || !attached[c]) && !locked -> after_writing(c); c = 0 }
     :: atomic { !tell && !stalled && !gone[c] && attached[c] -> c = 0 }
     fi
  od;
  atomic { !locked ->
    c = 0;
    if :: FAULT == 5 && any_work -> notify_all() :: else fi;
    if
    :: driving && owner == me -> locked = true; driver = handling; goto flushed
    :: driving && owner != me -> driving = false; goto work
    :: !driving -> goto work
    fi }

turn:                                     /* Engine::drive_once, with the lock */
  atomic {
    if
    :: (may_take_any && !handed_off && has_spare) || (may_parse && !has_spare) -> driver = outside; take_work(c, j); goto at_work
    :: else
    fi;
    if
    :: any_flushable ->               /* only a write that may wait gives the role away */
       if :: one_source -> driver = outside :: else fi;
       locked = false; goto flush
    :: else
    fi;
flushed:
    if :: finished -> driver = none; owner = NOBODY; driving = false; locked = false; goto gone_home :: else fi;
    if :: any_work -> wake_one() :: else fi;
    if :: above_hard(0) && !hung_up[0] && armed[0] -> armed[0] = false; paused[0] = true :: else fi;
    if :: above_hard(1) && !hung_up[1] && armed[1] -> armed[1] = false; paused[1] = true :: else fi;
    if :: above_hard(2) && !hung_up[2] && armed[2] -> armed[2] = false; paused[2] = true :: else fi;
    driver = waits;
    if
    :: may_read_plain(0) -> plain = 0
    :: may_read_plain(1) -> plain = 1
    :: may_read_plain(2) -> plain = 2
    :: else -> plain = NONE
    fi;
    locked = false;
    if :: plain != NONE -> c = plain; reader[c] = me :: else -> goto wait fi }

read:                                     /* a plain read: an interrupt that comes before in_wait is lost */
  atomic { assert(!in_wait && driver == waits && owner == me); in_wait = true }
  if
  :: atomic { len(wire[c]) > 0 && !interrupted -> in_wait = false }
     atomic { !locked -> begin_turn() }
     goto handle
  :: atomic { interrupted -> in_wait = false; interrupted = false }
     atomic { !locked -> if :: FAULT != 7 -> begin_turn() :: else -> driver = handling; interrupt_wanted = false fi; goto read_over }
  :: atomic { eof[c] && len(wire[c]) == 0 && !interrupted -> in_wait = false }
     atomic { !locked -> begin_turn() }
     goto input_ends
  fi;

wait:                                     /* one wait for all */
  atomic { assert(!in_wait && driver == waits && owner == me); in_wait = true }
  if
  :: atomic { wake_set || any_ready ->
       in_wait = false; wake_set = false;
       e = input_events;
       k = (ready_out(0) -> 1 : 0) + (ready_out(1) -> 2 : 0) + (ready_out(2) -> 4 : 0) }
  :: atomic { (wake_set || input_events != 0) && (ready_out(0) || ready_out(1) || ready_out(2)) ->
       in_wait = false; wake_set = false;
       e = input_events }                 /* the peers have not taken anything yet */
  fi;
  atomic { !locked ->
    begin_turn();
    if :: k & 1 -> out_armed[0] = false :: else fi;
    if :: k & 2 -> out_armed[1] = false :: else fi;
    if :: k & 4 -> out_armed[2] = false :: else fi;
    k = 0; goto event }

events:
  atomic { !locked ->
event:
    c = 0;
    if :: phase == stopping && FAULT != 14 -> cancel(0); cancel(1); cancel(2) :: else fi;
    if
    :: e == 0 -> locked = true; driver = handling; goto turn
    :: e & 1 -> e = e - 1; c = 0
    :: !(e & 1) && (e & 2) -> e = e - 2; c = 1
    :: !(e & 1) && !(e & 2) && (e & 4) -> e = e - 4; c = 2
    fi;
    if
    :: FAULT == 26 && c == 1 && !attached[1] && attached[2] -> assert(false)   /* what is told to 2 was said of 1 */
    :: attached[c] && paused[c] && eof[c] ->           /* Engine::hung_up */
       paused[c] = false;
       if :: FAULT == 8 -> input_over[c] = true; wake_monitor() :: else -> hung_up[c] = true; arm(c) fi;
       goto event
    :: attached[c] && armed[c] && reader[c] != NOBODY && FAULT != 31 -> armed[c] = false; rearm[c] = true; goto event
    :: attached[c] && armed[c] && !paused[c] && (reader[c] == NOBODY || FAULT == 31) ->
       assert(reader[c] == NOBODY && !closed[c]);
       reader[c] = me
    :: else -> goto event
    fi }
  if
  :: atomic { len(wire[c]) > 0 && slow_handler && c == 1 && !locked -> running++; driver = outside; goto slowly }
  :: atomic { len(wire[c]) > 0 && !(slow_handler && c == 1) && !locked -> goto handle_one }
  :: atomic { len(wire[c]) == 0 && eof[c] -> goto input_ends }
  :: atomic { len(wire[c]) == 0 && !eof[c] -> goto read_ends }
  fi;

handle:                                   /* Session::on_readable: one message or several */
  atomic { len(wire[c]) > 0 && !locked ->
handle_one:
    handle_message(c, k); k = 0;
    if :: goto read_ends :: len(wire[c]) > 0 && !parsing[c] -> goto handle fi }

slowly:                                   /* a source whose handler takes its time */
  atomic { len(wire[c]) > 0 && !locked -> handle_message(c, k); k = 0 }
  atomic { released -> handler_done = true }
  atomic { !locked ->
    running--;
    assert(reader[c] == me);
    reader[c] = NOBODY;
    if :: rearm[c] -> rearm[c] = false; arm(c) :: else fi;
    c = 0;
    if
    :: owner == me -> driver = handling; goto event
    :: else -> e = 0; driving = false; if :: any_flushable -> goto flush :: else -> goto work fi
    fi }

input_ends:                               /* Engine::input_ended: the channel drains */
  atomic { !locked ->
    input_over[c] = true; armed[c] = false; wake_monitor(); goto read_over }

read_ends:
  atomic { !locked ->
read_over:
    assert(owner == me && driver == handling && !closed[c] && (!finished || abandoned));
    reader[c] = NOBODY; plain = NONE;
    if :: !attached[c] -> if :: FAULT != 30 -> cancel(c) :: else fi; close_if_unused(c) :: else fi;
    if :: rearm[c] -> rearm[c] = false; arm(c) :: else fi;
    goto event }

gone_home:
  ended++
}

/* Engine::replace_driver_if_stuck */
inline replace_driver_if_stuck() {
  if
  :: (driver == outside || (driver == waits && FAULT == 20)) && has_spare ->
     if :: FAULT == 4 :: else -> owner = NOBODY fi;
     driver = none;
     handed_off = any_work;
     if :: FAULT == 3 :: else -> wake_one() fi
  :: else
  fi
}

/* Engine::nothing_left of a channel, its two looks: the calls first, then the output */
#define at_rest(c) (busy[c] == 0 && reader[c] == NOBODY && (driver != handling || FAULT == 12) && !parsing[c])
#define first_look(c) ((FAULT == 6 -> pending(c) == 0 : phase == stopping || all_answered(c)) && !has_work(c))
#define second_look(c) (FAULT == 6 -> phase == stopping || all_answered(c) : pending(c) == 0)
#define ends(c) (attached[c] && (input_over[c] || phase != serving))
#define nothing_left(c) (ends(c) && at_rest(c) && first_look(c) && second_look(c))

/* Engine::look_at_channels: the first looks at all, then the second */
inline first_looks() {
  may_end = (ends(0) && at_rest(0) && first_look(0) -> 1 : 0) + (ends(1) && at_rest(1) && first_look(1) -> 2 : 0) +
            (ends(2) && at_rest(2) && first_look(2) -> 4 : 0)
}
inline second_looks() {
  if :: (may_end & 1) && second_look(0) -> detach(0) :: else fi;
  if :: (may_end & 2) && second_look(1) -> detach(1) :: else fi;
  if :: (may_end & 4) && second_look(2) -> detach(2) :: else fi;
  may_end = 0
}

/* Nothing runs, and no source is there: run() ends. */
#define all_over (attached_count == 0 && ((running == 0 && parsers == 0) || FAULT == 32) && (driver != handling || FAULT == 12) && !any_work && \
                  !(driver == waits && plain != NONE))

/* What a tick could change. A tick that could change nothing is no step of the model: if all the rest waits for others as
   well, that is a deadlock and no quiet loop of ticks. */
#define work_for_a_member (any_flushable || may_take_any)
#define calm (driver == waits && phase == serving && !any_draining && !interrupt_wanted && attached_count > 0)
#define tick_matters ( finished || all_over || calm || \
  (driver == outside && has_spare) || \
  (interrupt_wanted && driver == waits && in_wait && !interrupted && FAULT != 16) || \
  nothing_left(0) || nothing_left(1) || nothing_left(2) || \
  (phase == draining && FAULT != 36) || (phase == stopping && stuck && FAULT != 37 && !(driver == waits && plain != NONE)) || \
  ((phase != serving || any_draining) && work_for_a_member && has_spare) )

/* Engine::sleep_time; with the lock, which it gives back */
inline go_to_sleep() {
  watching = !calm;
  alarm = (timer_set && !timer_run);      /* Timers::next: poll ends then */
  if :: FAULT == 2 :: else -> monitor_sleeps = !watching fi;
  locked = false
}

/* Engine::monitor: sleep, tick, sleep_time */
proctype Monitor() {
  bool watching, alarm;
  byte may_end;            /* channels, a bit each */

  watching = true;
tick:
  atomic { !locked && ((watching && (all_ticks || tick_matters)) || woken || alarm) ->
    woken = false; monitor_sleeps = false; alarm = false; locked = true;
    if :: finished -> locked = false; goto gone_home :: else fi;
    if :: timer_set && !timer_run -> goto run_due :: else fi }
accept_tick:
  atomic {
    replace_driver_if_stuck();
    if
    :: interrupt_wanted && driver == waits && plain != NONE && in_wait && FAULT != 16 -> interrupted = true
    :: else
    fi;
    if
    :: phase == serving && !any_draining && attached_count > 0 -> go_to_sleep(); if :: FAULT == 2 -> goto asleep_again :: else -> goto tick fi
    :: else
    fi;
    first_looks() }
  atomic {
    second_looks();
    /* Engine::look_at_end: the drain is over at any moment, and so is the grace */
    if
    :: phase == draining && FAULT != 36 -> phase = stopping; cancel(0); cancel(1); cancel(2); notify_all()
    :: phase == stopping && stuck && FAULT != 37 && !(driver == waits && plain != NONE) ->
       abandoned = true; finished = true; notify_all(); wake_set = true; locked = false; goto gone_home
    :: true
    fi;
    if :: all_over -> finished = true; notify_all(); wake_set = (FAULT != 38); locked = false; goto gone_home :: else fi;
    if :: work_for_a_member -> flush_wanted = (flush_wanted || any_flushable); wake_one() :: else fi;
    go_to_sleep();
    if :: FAULT == 2 -> goto asleep_again :: else -> goto tick fi }
asleep_again:
  monitor_sleeps = !watching;
  goto tick;

run_due:                                  /* Timers::run_due */
  atomic { locked = false; timer_run = true }
  atomic { !locked -> locked = true; goto accept_tick }

gone_home:
  ended++
}

/* A thread outside of the engine: answers calls, posts a job, sets a timer, adds and removes sources */
proctype Outsider() {
  bool tell, stalled, added, removed;
  byte i;

  do
  :: atomic { with_outsider[0] -> with_outsider[0] = false; i = 0 } answer(i); flush_from_outside(on[i]); i = 0
  :: atomic { with_outsider[1] -> with_outsider[1] = false; i = 1 } answer(i); flush_from_outside(on[i]); i = 0
#if CALLS > 2
  :: atomic { with_outsider[2] -> with_outsider[2] = false; i = 2 } answer(i); flush_from_outside(on[i]); i = 0
  :: atomic { with_outsider[3] -> with_outsider[3] = false; i = 3 } answer(i); flush_from_outside(on[i]); i = 0
  :: atomic { with_outsider[4] -> with_outsider[4] = false; i = 4 } answer(i); flush_from_outside(on[i]); i = 0
#endif
  :: atomic { post_left && !locked ->     /* Engine::post */
       post_left = false;
       if
       :: finished
       :: else -> queue[0] ! POSTED; if :: driver != handling && FAULT != 10 -> wake_one() :: else fi
       fi }
  :: atomic { timing && !timer_set -> timer_set = true }   /* Engine::at */
     atomic { !locked -> if :: FAULT != 13 -> wake_monitor() :: else fi }
  :: atomic { (adding || (stopped && sources == 1)) && !added && !locked -> added = true; attach(sources) }
  :: atomic { (removing || reusing) && !removed && !locked -> removed = true; detach(sources - 1) }
  :: atomic { reusing && removed && closed[1] && !added && !locked -> added = true; attach(2) }
  :: ended == CREW + 1 -> break
  :: abandoned -> break
  od
}

/* Engine::stop, from anywhere: drain, grace, on_stuck */
proctype Stopper() {
  atomic { !locked && !finished ->
    if
    :: phase == serving ->
       phase = draining;
       armed[0] = false; armed[1] = false; armed[2] = false;
       paused[0] = false; paused[1] = false; paused[2] = false;
       if :: FAULT != 34 -> interrupt_plain_read() :: else fi;
       if :: FAULT != 35 -> wake_monitor() :: else fi;
       notify_all()
    :: else
    fi }
}

/* A signal that concerns nobody breaks off a plain read. */
proctype Disturber() { atomic { (in_wait && plain != NONE) || ended == CREW + 1 -> interrupted = (in_wait && plain != NONE) } }

#define has_answers(c) (received[c] == expected[c])
#define victim (sources - 1)
#define has_its_answers(c) (has_answers(c) || ((removing || reusing) && c == victim))
#define all_have_answers (has_its_answers(0) && has_its_answers(1) && has_its_answers(2))

/* The peers: ask, let all go on, wait, end their inputs */
proctype Peers() {
  do
  :: atomic { sent < CALLS -> wire[on[sent]] ! sent; expected[on[sent]]++; sent++ }
  :: sent == CALLS || ending || leaving -> break
  od;
  if
  :: atomic { release_on != NONE -> wire[release_on] ! RELEASE }
  :: else
  fi;
  if
  :: lasts ->
     all_have_answers && (post_run || !(posting || disturbed)) && (!timing || timer_run) && (!slow_handler || handler_done) &&
       (!reusing || closed[victim]) && (monitor_sleeps || finished)
  :: leaving -> has_answers(0) || sources == 1
  :: else
  fi;
  if
  :: stopped || stuck
  :: removing ->                          /* the last one is there until it is removed */
     atomic { eof[0] = (sources > 1); eof[1] = (sources > 2) }
  :: lasts && !removing -> atomic { eof[0] = true; eof[1] = true; eof[2] = true }
  :: ending || leaving -> eof[0] = true; atomic { eof[1] = true; eof[2] = true }
  :: (ending || leaving) && sources > 1 -> atomic { eof[1] = true; eof[2] = true } eof[0] = true
  fi;
  ended == CREW + 1;
  if :: abandoned -> goto done :: else fi;
  assert(running == 0 && !any_work && !writing[0] && !writing[1] && !writing[2]);
  assert(!attached[0] && !attached[1] && !attached[2]);
  assert(received[0] <= expected[0] && received[1] <= expected[1] && received[2] <= expected[2]);
  if
  :: lasts || ending -> assert(all_have_answers)
  :: else
  fi;
done:
  skip
}

inline kind_of(i, number) {
  if
  :: number == 0 -> asks[i] = quick
  :: number == 1 -> asks[i] = hold
  :: number == 2 -> asks[i] = later
  :: number == 3 -> asks[i] = ping
  :: number == 4 -> asks[i] = big
  fi
}

init {
  byte i, number, where;
#ifdef SIMULATION
  scenario = SCENARIO; sources = SOURCES; hard = HARD; release_on = RELEASE_ON;
#else
  c_code {
    now.scenario = atoi(getenv("SCENARIO"));
    now.sources = atoi(getenv("SOURCES"));
    now.hard = atoi(getenv("HARD"));
    now.release_on = atoi(getenv("RELEASE_ON"));
    now.all_ticks = atoi(getenv("ALL_TICKS"));
    now.fault = atoi(getenv("FAULT"));
  };
#endif
  atomic {
    i = 0;
    do
    :: i < CALLS ->
       call[i] = unknown;
#ifdef SIMULATION
       if :: number = 0 :: number = 1 :: number = 2 :: number = 3 :: number = 4 fi;
       if :: where = 0 :: where = 1 :: where = 2 fi;
       if :: where >= sources -> where = 0 :: else fi;
#else
       c_code { Pinit->number = getenv("KINDS")[Pinit->i] - '0'; Pinit->where = getenv("WHERE")[Pinit->i] - '0'; };
#endif
       kind_of(i, number);
       on[i] = where;
       i++
    :: else -> break
    od;
    i = 0; number = 0; where = 0;
    post_left = posting || disturbed;
    attached[0] = true; armed[0] = true;
    if :: sources > 1 -> attached[1] = true; armed[1] = true :: else fi;
    if :: sources > 2 -> attached[2] = true; armed[2] = true :: else fi;
    do :: i < CREW -> run Thread(i); i++ :: else -> break od;
    i = 0;
    run Monitor(); run Outsider(); run Peers();
    if :: stopped || stuck -> run Stopper() :: else fi;
    if :: disturbed -> run Disturber() :: else fi
  }
}
