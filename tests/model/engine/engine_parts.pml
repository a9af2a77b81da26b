/* What the threads of the engine's model share: their state, and the functions of the engine, of its channels and of their
   outputs that several of them use. engine.pml has the threads. */

#ifdef SIMULATION
#ifndef FAULT
#define FAULT 0
#endif
#else
byte fault;                  /* what is broken; see check.sh */
#define FAULT fault
#endif
#ifndef THREADS
#define THREADS 1            /* Settings::threads */
#endif
#ifndef CALLS
#define CALLS 2              /* what the peers ask for */
#endif
#define CREW (THREADS + 2)   /* 0 is the thread that called run() */
#define NOBODY CREW
#define CH 3                 /* channels; each has one source of the same number */
#define NONE CH
#define POSTED CALLS         /* a job that is nobody's call */
#define PARSE (CALLS + 1)    /* and above: no job, but parses the large message of call j - PARSE */
#define RELEASE CALLS        /* on the wire: lets calls of the kind `hold` go on */
#define SOFT 0               /* lines */
#if THREADS > 3
#define QUOTA (THREADS - 2)  /* jobs of one channel while others are attached */
#else
#define QUOTA 1
#endif

mtype = { none, waits, handling, outside };          /* Driver */
mtype = { serving, draining, stopping };             /* Phase */
mtype = { quick, hold, later, ping, big };           /* what a message asks for */
mtype = { unknown, open, answering, over };          /* a call: Call and InFlight */

/* The situation; constants once init has set them */
byte scenario;
#define lasts    (scenario <= 7)    /* the peers wait for all answers, then for quiet, and only then end their inputs */
#define posting  (scenario == 1)    /* ... while somebody posts a job */
#define timing   (scenario == 2)    /* ... while somebody sets a timer */
#define disturbed (scenario == 3)   /* ... while a slow job is posted and a signal breaks off a plain read */
#define adding   (scenario == 4)    /* ... while one more source is added at any moment */
#define removing (scenario == 5)    /* ... while the last source is removed at any moment */
#define reusing  (scenario == 6)    /* ... and source 2 comes, with the descriptor that source 1 had */
#define slow_handler (scenario == 7) /* ... and what is read from source 1 takes its time */
#define ending   (scenario == 8)    /* the peers end their inputs at any moment */
#define stopped  (scenario == 9)    /* the engine is stopped at any moment */
#define leaving  (scenario == 10)   /* the peer of the last source goes away at any moment */
#define stuck    (scenario == 11)   /* the engine is stopped, and a job does not end */
byte sources;                /* that are there from the beginning */
byte hard;                   /* lines above which a channel is not read */
byte release_on;             /* the channel on which RELEASE comes; NONE: it does not come */
bool all_ticks;              /* also those that could change nothing */
mtype asks[CALLS];
byte on[CALLS];              /* the channel of a call */

/* Engine */
bool locked;
mtype driver = none;
mtype phase = serving;
byte owner = NOBODY;         /* whose epoch it is */
byte plain = NONE;           /* the source that the driver reads with a plain read; NONE: it waits for all */
byte running, waiting, waking;
byte started = 1;
bool handed_off, flush_wanted, monitor_sleeps, finished, interrupt_wanted, abandoned;
bool asleep[CREW];           /* in changed_.wait */
bool woken;                  /* the event of the monitor */
bool wake_set;               /* the event in the wait for all */

/* Channels and their sources */
bool attached[CH];
bool closed[CH];             /* the descriptor */
bool armed[CH];              /* the wait for all watches for input */
bool out_armed[CH];          /* ... and for room in the output */
bool rearm[CH];              /* by the thread that reads it */
bool paused[CH];             /* by back-pressure: the wait for all watches for a hang-up only */
bool hung_up[CH];            /* seen while it was paused */
bool parsing[CH];            /* its large message is parsed, or waits for that */
byte to_parse[CH];           /* a message that waits to be parsed, and one more; 0: none */
byte parsers;                /* threads that parse */
bool input_over[CH];
byte reader[CH] = NOBODY;    /* the thread that reads it */
byte busy[CH];               /* jobs that run */
chan queue[CH] = [CALLS + 1] of { byte };

/* Outputs */
byte ready[CH], taken[CH];   /* lines: not yet taken by a writer, and taken */
bool writing[CH], caught_up[CH], gone[CH];

/* Calls, wires and peers */
mtype call[CALLS];
bool with_outsider[CALLS];
chan wire[CH] = [CALLS + 1] of { byte };
bool eof[CH];
bool released;
bool in_wait, interrupted;
byte sent;
byte received[CH], expected[CH];
bool post_left, post_run, timer_set, timer_run, handler_done;
byte ended;                  /* threads of the engine, and the monitor, that are gone */

#define pending(c) (ready[c] + taken[c])
#define flushable(c) (pending(c) > 0 && !writing[c] && !gone[c] && !out_armed[c])
#define any_flushable (flushable(0) || flushable(1) || flushable(2))
#define has_work(c) (len(queue[c]) > 0)
#define any_to_parse (to_parse[0] > 0 || to_parse[1] > 0 || to_parse[2] > 0)
#define any_work (has_work(0) || has_work(1) || has_work(2) || any_to_parse)
#define above_soft(c) (pending(c) > SOFT)
#define above_hard(c) (pending(c) > hard)
#define attached_count (attached[0] + attached[1] + attached[2])
#define one_source (attached_count == 1)
#define has_spare (waiting > waking || started < CREW)
#define may_take(c) (has_work(c) && (!above_soft(c) || phase == stopping) && running < THREADS && (one_source || busy[c] < QUOTA))
#define may_parse (any_to_parse && parsers == 0 && !(FAULT == 39 && running == THREADS))
#define may_take_any (may_parse || may_take(0) || may_take(1) || may_take(2))
#define may_read_plain(c) (one_source && attached[c] && armed[c] && (!out_armed[c] || FAULT == 25) && phase == serving)
#define unanswered(k, c) (on[k] == c && (call[k] == open || call[k] == answering))
#if CALLS == 2
#define all_answered(c) (!unanswered(0, c) && !unanswered(1, c))
#else
#define all_answered(c) (!unanswered(0, c) && !unanswered(1, c) && !unanswered(2, c) && !unanswered(3, c) && !unanswered(4, c))
#endif
#define is_draining(c) (attached[c] && input_over[c])
#define any_draining (is_draining(0) || is_draining(1) || is_draining(2))

/* What the wait for all reports */
#define ready_in(c) (attached[c] && armed[c] && (len(wire[c]) > 0 || eof[c]))
#define ready_hang_up(c) (attached[c] && paused[c] && eof[c] && !hung_up[c])
#define ready_out(c) (attached[c] && out_armed[c] && !(FAULT == 24 && input_over[c]))
#define is_ready(c) (ready_in(c) || ready_hang_up(c) || ready_out(c))
#define any_ready (is_ready(0) || is_ready(1) || is_ready(2))
#define in_event(c, bit) (ready_in(c) || ready_hang_up(c) -> bit : 0)
#define input_events (in_event(0, 1) + in_event(1, 2) + in_event(2, 4))

/* Members that wait are alike: which one wakes makes no difference. */
inline notify_one() {
  if
  :: asleep[0] -> asleep[0] = false
  :: !asleep[0] && asleep[1] -> asleep[1] = false
  :: !asleep[0] && !asleep[1] && asleep[2] -> asleep[2] = false
#if THREADS > 1
  :: !asleep[0] && !asleep[1] && !asleep[2] && asleep[3] -> asleep[3] = false
#endif
#if THREADS > 2
  :: !asleep[0] && !asleep[1] && !asleep[2] && !asleep[3] && asleep[4] -> asleep[4] = false
#endif
  :: else
  fi
}

inline notify_all() {
  asleep[0] = false; asleep[1] = false; asleep[2] = false;
#if THREADS > 1
  asleep[3] = false;
#endif
#if THREADS > 2
  asleep[4] = false
#endif
}

/* Engine::wake_one */
inline wake_one() {
  if
  :: finished
  :: !finished && waiting > waking -> waking++; notify_one()
  :: !finished && waiting <= waking && started < CREW -> started++
  :: else
  fi
}

inline wake_monitor() { if :: monitor_sleeps -> woken = true :: else fi }

/* Engine::interrupt_plain_read: the driver is to look again. The interrupt may miss the read. */
inline interrupt_plain_read() {
  if
  :: driver == waits && plain != NONE ->
     interrupt_wanted = true;
     if :: in_wait -> interrupted = true :: else fi;
     if :: FAULT != 17 -> wake_monitor() :: else fi
  :: else
  fi
}

/* Engine::begin_turn */
inline begin_turn() {
  driver = handling; interrupt_wanted = false;
  if :: monitor_sleeps && FAULT != 1 -> monitor_sleeps = false; woken = true :: else fi
}

/* InFlight::cancel_all of a channel */
inline cancel_call(k, c) { if :: on[k] == c && call[k] == open -> call[k] = over :: else fi }
inline cancel(c) {
  cancel_call(0, c); cancel_call(1, c);
#if CALLS > 2
  cancel_call(2, c); cancel_call(3, c); cancel_call(4, c)
#endif
}

/* Source::close_if_unused; with the lock. A descriptor is closed once no thread reads it or writes to it. */
inline close_if_unused(c) {
  if :: !attached[c] && (reader[c] == NOBODY || FAULT == 19) && (!writing[c] || FAULT == 19) -> closed[c] = true :: else fi
}

/* Engine::detach: the channel is over, whatever its jobs still do; with the lock */
inline detach(c) {
  if
  :: attached[c] ->
     attached[c] = false; armed[c] = false; out_armed[c] = false; paused[c] = false; rearm[c] = false;
     gone[c] = true; ready[c] = 0; taken[c] = 0; caught_up[c] = false;
     if :: FAULT != 22 -> cancel(c) :: else fi;
     if :: FAULT != 21 -> interrupt_plain_read() :: else fi;
     close_if_unused(c);
     if :: FAULT != 33 -> wake_monitor() :: else fi
  :: else
  fi
}

/* Engine::attach; with the lock. A second source ends a plain read of the first. */
inline attach(c) {
  if
  :: finished || phase != serving -> eof[c] = true
  :: else ->
     attached[c] = true;
     if :: FAULT == 18 && driver == waits && plain == NONE -> skip :: else -> armed[c] = true fi;
     if :: FAULT != 15 -> interrupt_plain_read() :: else fi
  fi
}

/* Engine::arm: the source is to be read again; with the lock */
inline arm(c) {
  if
  :: attached[c] && !input_over[c] && !parsing[c] && !paused[c] && !rearm[c] && phase == serving -> armed[c] = true
  :: else
  fi
}

/* Output::append */
inline append(c) {
  if
  :: FAULT == 23 && c == 1 && gone[1] && attached[2] -> ready[2]++
  :: !(FAULT == 23 && c == 1 && gone[1] && attached[2]) && !gone[c] -> ready[c]++
  :: else
  fi
}

/* Output::write_ready, its beginning */
inline begin_writing(c) {
  writing[c] = true;
  if :: taken[c] == 0 -> taken[c] = ready[c]; ready[c] = 0 :: else fi
}

/* Output::note_written after a write of everything */
inline written(c) {
  assert(!closed[c]);
  if :: above_soft(c) && ready[c] <= SOFT -> caught_up[c] = true :: else fi;
  received[c] = received[c] + taken[c];
  taken[c] = ready[c]; ready[c] = 0;
  if :: taken[c] == 0 -> stop_writing(c) :: else fi
}

/* ... its end: `tell` that the output has caught up */
inline stop_writing(c) { writing[c] = false; tell = caught_up[c]; caught_up[c] = false }

#define peer_may_go(c) (leaving && c == sources - 1)

/* Output::drop_everything, and no more is written */
inline drop_everything(c) {
  gone[c] = true; ready[c] = 0; taken[c] = 0; stop_writing(c); tell = false
}

/* What follows a write; with the lock. One that was to close the descriptor does so; the channel is lost; the output has
   caught up: work may begin and the source is read again; or it waits until it is writable. */
inline after_writing(c) {
  if
  :: !attached[c] -> close_if_unused(c)
  :: attached[c] && gone[c] -> detach(c)
  :: attached[c] && !gone[c] && tell ->
     if :: FAULT != 5 && has_work(c) -> notify_all() :: else fi;
     if :: paused[c] && FAULT != 29 -> paused[c] = false; arm(c) :: else fi
  :: attached[c] && !gone[c] && !tell && stalled ->
     if
     :: FAULT == 9
     :: FAULT != 9 && one_source -> flush_wanted = true; wake_one()
     :: FAULT != 9 && !one_source -> out_armed[c] = true
     fi
  :: else
  fi;
  tell = false; stalled = false
}

/* Output::flush(Blocking::no), without the lock: takes everything or nothing, in one step, as nobody waits for it */
inline write_at_once(c) {
  if
  :: atomic { writing[c] && gone[c] -> drop_everything(c) }
  :: atomic { writing[c] && !gone[c] ->
       taken[c] = pending(c); ready[c] = 0;
       written(c) }
  :: atomic { writing[c] && !gone[c] -> stalled = true; stop_writing(c) }
  :: atomic { writing[c] && !gone[c] && peer_may_go(c) -> drop_everything(c) }
  fi
}

/* Output::flush(Blocking::yes), without the lock. The peer takes its time: the write may happen at any moment. */
inline write_waiting(c) {
  do
  :: atomic { writing[c] && !gone[c] -> written(c); if :: writing[c] :: else -> break fi }
  :: atomic { writing[c] && (gone[c] || peer_may_go(c)) -> drop_everything(c); break }
  od
}

/* Engine::flush_from_outside */
inline flush_from_outside(c) {
  if
  :: atomic { flushable(c) -> begin_writing(c); write_at_once(c) }
     if
     :: atomic { (tell || stalled || gone[c]) && !locked -> after_writing(c) }
     :: atomic { !tell && !stalled && !gone[c] && attached[c] }
     :: atomic { !tell && !stalled && !gone[c] && !attached[c] && !locked -> after_writing(c) }
     fi
  :: else
  fi
}

/* Call::answer: claimed and appended, then settled */
inline answer(k) {
  atomic {
    if :: call[k] == open || (FAULT == 23 && call[k] == over) -> call[k] = answering; append(on[k]) :: else fi;
    if :: ending :: else -> call[k] = over fi }   /* elsewhere nobody looks in between */
  if :: call[k] == answering -> call[k] = over :: else fi
}

/* A job */
inline run_job(c, j) {
  if
  :: j == POSTED && (released || !disturbed) -> post_run = true
  :: j < CALLS && asks[j] == quick -> answer(j)
  :: j < CALLS && asks[j] == big -> answer(j)
  :: j < CALLS && asks[j] == hold && ((released && !stuck) || (call[j] == over && !stuck) || finished) -> answer(j)
  :: j < CALLS && asks[j] == later -> with_outsider[j] = true
  :: j >= PARSE ->                     /* Engine::parse_next: the message, then the source is read again */
     atomic { !locked ->
       in_order(j - PARSE);
       call[j - PARSE] = open;
       if :: !attached[c] || phase == stopping -> cancel(c) :: else fi;
       queue[c] ! (j - PARSE);
       parsing[c] = false;
       if :: FAULT != 27 -> arm(c) :: else fi;
       wake_one() }
  fi
}

/* Engine::take_work: which channel is next is decided by the round robin, here by anybody; gives the lock back */
inline take_work(c, j) {
  if
  :: may_parse ->                       /* first: what is read after it may be a cancellation */
     if :: to_parse[0] > 0 -> c = 0 :: to_parse[1] > 0 -> c = 1 :: to_parse[2] > 0 -> c = 2 fi;
     j = PARSE + to_parse[c] - 1; to_parse[c] = 0
  :: !may_parse ->
     if :: may_take(0) -> c = 0 :: may_take(1) -> c = 1 :: may_take(2) -> c = 2 fi;
     queue[c] ? j
  fi;
  if :: !any_work -> handed_off = false :: else fi;
  if :: handed_off && may_take_any -> wake_one() :: else fi;
  if
  :: j >= PARSE -> parsers++
  :: else -> running++; busy[c]++; assert(running <= THREADS)
  fi;
  locked = false
}

/* The messages of a channel are handled in the order in which they came. */
inline in_order(k) { if :: k > 0 && on[k - 1] == on[k] -> assert(call[k - 1] != unknown) :: else fi }

/* Session::on_line: one message */
inline handle_message(c, k) {
  wire[c] ? k;
  if
  :: k == RELEASE -> released = true
  :: k != RELEASE && asks[k] == ping -> in_order(k); call[k] = over; append(c)
  :: k != RELEASE && asks[k] == big -> parsing[c] = true; armed[c] = (FAULT == 28); to_parse[c] = k + 1
  :: k != RELEASE && asks[k] != ping && asks[k] != big -> in_order(k); call[k] = open; queue[c] ! k
  fi
}
