/* The crew of a session (framework/src/runtime/crew.hpp) as a model for spin. README.md says which step stands for which
   function, what is left out, and what is proved. check.sh builds and runs it.

   A section under the crew's mutex is one step, or several with `locked` set where it looks twice at what others change
   without that mutex. Numbers after `fault` break one thing each; every one of them is to be found. */

#include "crew_parts.pml"

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
