use mawe_rules::{AnySetup, GameKind, Record};
use tokio::time::timeout;

use super::*;
use crate::bots::job::Evaluation;

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
    match bots
        .queue
        .lock()
        .next_job(WorkerKind::Thread, worker, Instant::now())
    {
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
    assert!(
        timeout(MOMENT, bots.next(WorkerKind::Thread, &gone))
            .await
            .is_err()
    );
    let waiting = {
        let bots = Arc::clone(&bots);
        tokio::spawn(async move { bots.next(WorkerKind::Thread, &here).await })
    };
    tokio::task::yield_now().await;
    ask(&bots, 1, None);
    let job = waiting.await.expect("it does not panic");
    assert!(job.is_some());
    bots.close();
    assert!(bots.exchange(&gone, None).await.is_none());
    assert!(bots.strays(&gone, Duration::from_secs(60)).is_none());
}

fn start() -> Arc<Record> {
    let kind = GameKind::ALL[0];
    Arc::new(Record::new(kind, &AnySetup::standard(kind)).expect("every game starts"))
}

fn evaluated(job: &Job) -> JobResult {
    let best = job.game.legal_moves()[0].clone();
    JobResult {
        id: job.id,
        outcome: Outcome::Evaluation(Evaluation {
            pv: vec![best.clone()],
            best,
            score: 12,
            proven: false,
            depth: 9,
            nodes: 300_000,
        }),
    }
}

fn failed(job: &Job) -> JobResult {
    JobResult {
        id: job.id,
        outcome: Outcome::Failed,
    }
}

/// Asks for an evaluation, until the question is in the queue.
async fn ask_evaluation(
    bots: &Arc<Bots>,
) -> tokio::task::JoinHandle<Result<Evaluated, NotEvaluated>> {
    let before = bots.figures().evaluations.waiting;
    let asked = {
        let bots = Arc::clone(bots);
        tokio::spawn(async move { bots.evaluate(start()).await })
    };
    while bots.figures().evaluations.waiting == before {
        tokio::task::yield_now().await;
    }
    asked
}

#[tokio::test]
async fn an_evaluation_waits_for_all_bots_and_gives_way_to_them() {
    let (bots, _news) = Bots::new();
    let me = WorkerId::random();
    let asked = ask_evaluation(&bots).await;
    ask(&bots, *LEVELS.end(), None);
    let bot = next_job(&bots, &me).expect("a job");
    assert!(matches!(bot.task, Task::Bot(_)), "it comes second");
    bots.settle(WorkerKind::Thread, &me, answer(&bot));
    let search = next_job(&bots, &me).expect("the evaluation");
    assert_eq!((search.task, search.attempt), (Task::Evaluation, 1));
    // No thread waits for a job: the one that evaluates is wanted.
    ask(&bots, 1, None);
    assert!(search.stop.load(Ordering::Relaxed));
    bots.settle(WorkerKind::Thread, &me, failed(&search));
    let bot = next_job(&bots, &me).expect("a job");
    assert!(matches!(bot.task, Task::Bot(_)));
    let again = next_job(&bots, &me).expect("it is given out again");
    assert_eq!((again.task, again.attempt), (Task::Evaluation, 1));
    assert_ne!(again.id, search.id);
    bots.settle(WorkerKind::Thread, &me, evaluated(&again));
    let done = asked.await.expect("it does not panic").expect("a result");
    assert_eq!((done.evaluation.score, done.kind), (12, WorkerKind::Thread));
    assert_eq!(done.by, me);
    let figures = bots.figures().evaluations;
    assert_eq!((figures.done, figures.failed, figures.running), (1, 0, 0));
}

#[tokio::test]
async fn a_thread_that_waits_takes_a_bots_job_and_interrupts_nothing() {
    let (bots, _news) = Bots::new();
    let _asked = ask_evaluation(&bots).await;
    let search = next_job(&bots, &WorkerId::random()).expect("the evaluation");
    let waiting = {
        let bots = Arc::clone(&bots);
        tokio::spawn(async move { bots.next(WorkerKind::Thread, &WorkerId::random()).await })
    };
    while bots.idle.load(Ordering::Relaxed) == 0 {
        tokio::task::yield_now().await;
    }
    ask(&bots, 1, None);
    let job = waiting.await.expect("it does not panic").expect("a job");
    assert!(matches!(job.task, Task::Bot(_)));
    assert!(!search.stop.load(Ordering::Relaxed));
}

#[tokio::test]
async fn an_evaluation_that_fails_or_is_late_three_times_is_given_up() {
    let (bots, _news) = Bots::new();
    let me = WorkerId::random();
    let asked = ask_evaluation(&bots).await;
    let job = next_job(&bots, &me).expect("first");
    bots.settle(WorkerKind::Thread, &me, nonsense(&job));
    let job = next_job(&bots, &me).expect("the only worker has it again");
    assert_eq!(job.attempt, 2);
    bots.settle(WorkerKind::Thread, &WorkerId::random(), evaluated(&job));
    assert_eq!(bots.tally.ignored.load(Ordering::Relaxed), 1);
    assert_eq!(bots.queue.lock().expire_evaluations(later(31)), 0);
    assert_eq!(bots.queue.lock().expire_evaluations(later(33)), 1);
    assert!(
        job.stop.load(Ordering::Relaxed),
        "it is not wanted any more"
    );
    let job = next_job(&bots, &me).expect("third");
    assert_eq!(job.attempt, 3);
    bots.settle(WorkerKind::Thread, &me, failed(&job));
    assert!(next_job(&bots, &me).is_none());
    let given_up = asked.await.expect("it does not panic");
    assert_eq!(given_up, Err(NotEvaluated));
}

#[tokio::test]
async fn an_evaluation_is_lent_with_the_worker_that_does_it_and_not_to_a_distrusted_one() {
    let (bots, _news) = Bots::new();
    let (lender, doer, liar) = (WorkerId::random(), WorkerId::random(), WorkerId::random());
    let asked = ask_evaluation(&bots).await;
    let spared = |at| bots.queue.lock().next_shareable_job(&lender, at);
    assert!(matches!(spared(Instant::now()), Err(Some(_))), "not yet");
    let Ok((job, _)) = spared(later(1)) else {
        panic!("for all");
    };
    // No worker was free.
    bots.put_back(&lender, job.id);
    bots.distrust(liar.clone());
    let look = bots
        .queue
        .lock()
        .next_job(WorkerKind::Http, &liar, Instant::now());
    assert!(matches!(look, Look::Nothing));
    let Ok((job, declined_by)) = spared(later(1)) else {
        panic!("again");
    };
    assert_eq!(declined_by, [liar]);
    bots.note_doer(&lender, job.id, doer.clone());
    bots.settle(WorkerKind::Nats, &lender, evaluated(&job));
    let done = asked.await.expect("no panic").expect("a result");
    assert_eq!((done.by, done.kind), (doer, WorkerKind::Nats));
    assert_eq!(bots.figures().evaluations.refuted, 1);
}

#[tokio::test]
async fn a_caller_that_is_gone_and_a_queue_that_closes_leave_no_evaluation() {
    let (bots, _news) = Bots::new();
    let me = WorkerId::random();
    let gone = ask_evaluation(&bots).await;
    gone.abort();
    assert!(gone.await.is_err());
    assert!(next_job(&bots, &me).is_none());
    let waits = ask_evaluation(&bots).await;
    let runs = ask_evaluation(&bots).await;
    let job = next_job(&bots, &me).expect("the first");
    bots.close();
    assert!(job.stop.load(Ordering::Relaxed));
    for asked in [waits, runs] {
        assert_eq!(asked.await.expect("no panic"), Err(NotEvaluated));
    }
    assert_eq!(bots.evaluate(start()).await, Err(NotEvaluated));
}
