use mawe_rules::{AnySetup, GameKind, Record};
use tokio::time::timeout;

use super::*;

/// Time to wait for an event that must not happen.
const MOMENT: Duration = Duration::from_millis(20);

fn ask(bots: &Bots, level: u8, clock_ms: Option<u64>) -> MatchId {
    let id = MatchId::random();
    ask_in(bots, &id, level, clock_ms, 0);
    id
}

fn ask_in(bots: &Bots, id: &MatchId, level: u8, clock_ms: Option<u64>, seq: u64) {
    let kind = GameKind::ALL[0];
    let question = BotQuestion {
        side: Side::First,
        level,
        seq,
        wanted: Wanted::Move,
        game: Record::new(kind, &AnySetup::standard(kind)).expect("every game starts"),
        clock_ms,
    };
    bots.ask(id, question, &Trace::default());
}

fn plays(text: String) -> Reply {
    Reply::Move {
        text,
        offers_draw: false,
    }
}

fn answer(job: &Job) -> JobResult {
    let text = job.game.legal_moves()[0].clone();
    JobResult {
        id: job.id,
        outcome: Outcome::Answer(plays(text)),
    }
}

fn nonsense(job: &Job) -> JobResult {
    JobResult {
        id: job.id,
        outcome: Outcome::Answer(plays("nonsense".to_owned())),
    }
}

/// Takes a job for this worker without waiting.
fn next_job(bots: &Bots, worker: &WorkerId) -> Option<Job> {
    match bots.queue.lock().next_job(worker, Instant::now()) {
        Look::Found(job) => Some(job),
        Look::Nothing | Look::Closed => None,
    }
}

fn later(seconds: u64) -> Instant {
    Instant::now() + Duration::from_secs(seconds)
}

#[tokio::test]
async fn a_job_of_a_dead_worker_goes_to_another_and_is_answered_once() {
    let (bots, mut news) = Bots::new();
    let (dead, alive) = (WorkerId::random(), WorkerId::random());
    let id = ask(&bots, 1, Some(60_000));
    let first = bots.exchange(&dead, None).await.expect("there is a job");
    assert!(
        bots.queue.lock().expire(Instant::now()).is_empty(),
        "it is not late yet"
    );
    assert!(!first.stop.load(Ordering::Relaxed));
    assert_eq!(bots.queue.lock().expire(later(10)).len(), 1);
    assert!(first.stop.load(Ordering::Relaxed));
    assert!(next_job(&bots, &dead).is_none(), "it has had its turn");
    let second = bots
        .exchange(&alive, None)
        .await
        .expect("it is given out again");
    assert_eq!((second.attempt, &second.game), (2, &first.game));
    bots.settle(WorkerKind::Thread, &dead, answer(&first));
    // An answer from a worker that does not have the job is ignored.
    bots.settle(WorkerKind::Thread, &dead, answer(&second));
    assert!(news.try_recv().is_err());
    bots.settle(WorkerKind::Thread, &alive, answer(&second));
    bots.settle(WorkerKind::Thread, &alive, answer(&second));
    let told = news.try_recv().expect("one answer");
    assert!(matches!(told, BotNews::Answer(told) if told.match_id == id));
    assert!(news.try_recv().is_err());
    assert_eq!(bots.tally.ignored.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn nonsense_goes_to_another_and_in_the_end_to_the_fallback() {
    let (bots, mut news) = Bots::new();
    let fallback = WorkerId::random();
    ask(&bots, *LEVELS.end(), None);
    for attempt in 1..=ATTEMPTS {
        let fool = WorkerId::random();
        let job = bots.exchange(&fool, None).await.expect("it is given out");
        assert_eq!(job.attempt, attempt);
        assert!(
            bots.queue
                .lock()
                .take_strays(&fallback, Instant::now())
                .is_empty()
        );
        bots.settle(WorkerKind::Thread, &fool, nonsense(&job));
    }
    assert!(news.try_recv().is_err(), "nobody sees nonsense");
    let strays = bots.strays(&fallback, Duration::ZERO).expect("open");
    let [job] = &strays[..] else {
        panic!("{strays:?}")
    };
    assert!(next_job(&bots, &WorkerId::random()).is_none());
    bots.settle_stray(&fallback, answer(job));
    assert!(matches!(news.try_recv(), Ok(BotNews::Answer(_))));
    assert_eq!(bots.tally.taken_away.load(Ordering::Relaxed), 3);
}

#[test]
fn what_the_only_worker_has_failed_goes_to_the_fallback_soon() {
    let (bots, _news) = Bots::new();
    let (only, fallback) = (WorkerId::random(), WorkerId::random());
    ask(&bots, 1, None);
    let job = next_job(&bots, &only).expect("a job");
    let id = job.id;
    bots.settle(
        WorkerKind::Thread,
        &only,
        JobResult {
            id,
            outcome: Outcome::Failed,
        },
    );
    assert!(next_job(&bots, &only).is_none());
    let soon = Instant::now() + SECOND_WITHIN;
    assert_eq!(bots.queue.lock().take_strays(&fallback, soon).len(), 1);
}

#[test]
fn half_of_a_bot_s_clock_is_kept_for_the_fallback() {
    let (bots, _news) = Bots::new();
    let fallback = WorkerId::random();
    ask(&bots, *LEVELS.end(), Some(20_000));
    // Without a clock it waits without limit.
    ask(&bots, *LEVELS.end(), None);
    let busy = WorkerId::random();
    assert!(
        bots.queue
            .lock()
            .take_strays(&fallback, later(9))
            .is_empty()
    );
    let job = next_job(&bots, &busy).expect("the one with the clock is due first");
    assert!(job.think_for <= Duration::from_secs(1));
    let then = later(10);
    bots.queue.lock().expire(then);
    assert_eq!(bots.queue.lock().take_strays(&fallback, then).len(), 1);
    assert!(
        bots.queue
            .lock()
            .take_strays(&fallback, later(1_000_000))
            .is_empty()
    );
}

#[test]
fn who_is_due_first_is_served_first() {
    let (bots, _news) = Bots::new();
    let me = WorkerId::random();
    let mut asked = Vec::new();
    for (level, clock_ms) in [
        (*LEVELS.end(), None),
        (1, None),
        (4, None),
        (1, Some(2_000)),
    ] {
        asked.push(ask(&bots, level, clock_ms));
    }
    let served: Vec<MatchId> = std::iter::from_fn(|| {
        let job = next_job(&bots, &me)?;
        Some(bots.queue.lock().taken[&job.id].asked.match_id.clone())
    })
    .collect();
    let expected = [3, 2, 1, 0].map(|index: usize| asked[index].clone());
    assert_eq!(served, expected);
}

#[test]
fn a_new_question_takes_the_place_of_the_old_one() {
    let (bots, _news) = Bots::new();
    let id = MatchId::random();
    for seq in 1..=3 {
        ask_in(&bots, &id, 1, None, seq);
    }
    assert_eq!(bots.queue.lock().waiting.len(), 1);
    let me = WorkerId::random();
    let job = next_job(&bots, &me).expect("the last one");
    ask_in(&bots, &id, 1, None, 4);
    // A failed job is not queued again beside the newer question.
    bots.settle(
        WorkerKind::Thread,
        &me,
        JobResult {
            id: job.id,
            outcome: Outcome::Failed,
        },
    );
    let queue = bots.queue.lock();
    let seqs: Vec<u64> = queue.waiting.values().map(|asked| asked.seq).collect();
    assert_eq!((seqs, queue.standing.len()), (vec![4], 1));
}

#[test]
fn with_nobody_to_do_it_the_room_is_told_once() {
    let (bots, _news) = Bots::new();
    let id = ask(&bots, 3, None);
    assert!(bots.queue.lock().forsaken(later(4)).is_empty());
    assert_eq!(bots.queue.lock().forsaken(later(5)), [(id, Side::First)]);
    assert!(bots.queue.lock().forsaken(later(6)).is_empty());
}

#[test]
fn no_pace_uses_a_clock_up() {
    for level in LEVELS {
        let unhurried = pace(level, None);
        assert!(unhurried <= Duration::from_secs(1));
        let mut left = Duration::from_secs(60);
        for _ in 0..1_000 {
            left -= pace(level, Some(left));
            assert!(left >= PACE_LEAVES);
        }
        assert_eq!(pace(level, Some(PACE_LEAVES)), Duration::ZERO);
    }
}

#[tokio::test]
async fn a_worker_that_waits_is_woken_and_one_that_gave_up_takes_nothing() {
    let (bots, _news) = Bots::new();
    let (gone, here) = (WorkerId::random(), WorkerId::random());
    assert!(timeout(MOMENT, bots.next(&gone)).await.is_err());
    let waiting = {
        let bots = Arc::clone(&bots);
        tokio::spawn(async move { bots.next(&here).await })
    };
    tokio::task::yield_now().await;
    ask(&bots, 1, None);
    let job = waiting.await.expect("it does not panic");
    assert!(job.is_some());
    bots.close();
    assert!(bots.exchange(&gone, None).await.is_none());
    assert!(bots.strays(&gone, Duration::from_secs(60)).is_none());
}
