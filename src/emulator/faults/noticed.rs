//! What the device notices late, otherwise, or not at all.

use jadoube_dgt::{ClockAck, ClockReport, Field, Message, PieceCode};

use super::Faults;
use crate::emulator::cues::{Codes, Cue, Saying, Score, What};
use crate::tick::{Span, Tick};

const HOUR_MS: u64 = 3_600_000;
/// The buttons of a clock, as they are told: back, plus, run, minus, ok.
const BUTTONS: [u8; 5] = [0x31, 0x32, 0x33, 0x34, 0x35];
/// A button's message takes the place of a reading that comes so soon after it.
const IN_ITS_PLACE: Span = Span::from_ms(1_000);

/// The score with these faults.
pub(in crate::emulator) fn noticed(mut score: Score, faults: &Faults) -> Score {
    for (name, apply) in STEPS {
        if let Some(value) = faults.value(name) {
            apply(&mut score, value, faults);
            score.cues.sort_by_key(|cue| cue.at);
        }
    }
    score
}

type Step = fn(&mut Score, u32, &Faults);

/// In this order: what happens at the board, then what is seen of it, then what is said of that.
const STEPS: [(&str, Step); 15] = [
    ("unplug", unplug),
    ("ghost", ghost),
    ("flicker", flicker),
    ("misread", misread),
    ("lever-late", lever_late),
    ("lever-lost", lever_lost),
    ("only-changes", only_changes),
    ("cadence", cadence),
    ("irregular", irregular),
    ("clock-poll", clock_poll),
    ("scan", scan),
    ("lost", lost),
    ("turn-bits", turn_bits),
    ("empty-clock", empty_clock),
    ("button-acks", button_acks),
];

fn button_acks(score: &mut Score, an_hour: u32, faults: &Faults) {
    for (n, at) in moments(score, an_hour, faults, "button-acks").into_iter().enumerate() {
        let button = BUTTONS[n % BUTTONS.len()];
        let gone =
            |cue: &Cue| matches!(cue.what, What::Clock(_)) && cue.at >= at && cue.at.since(at) < IN_ITS_PLACE;
        if let Some(place) = score.cues.iter().position(gone) {
            let What::Clock(report) = score.cues[place].what.clone() else { continue };
            score.cues[place].what = What::Unsaid(report);
        }
        let ack = ClockAck([0x10, 0x88, 0x00, button]);
        score.cues.push(Cue { at, what: What::Say(Saying::Ack(ack)) });
    }
}

/// Moments, so many an hour, over the whole score.
fn moments(score: &Score, an_hour: u32, faults: &Faults, name: &str) -> Vec<Tick> {
    let mut rng = faults.numbers(name);
    let end = score.cues.last().map_or(0, |cue| cue.at.ms());
    let mean = (HOUR_MS / u64::from(an_hour.max(1))).max(1);
    let mut out = Vec::new();
    let mut at = rng.range(0, 2 * mean);
    while at < end {
        out.push(Tick::from_ms(at));
        at += rng.range(1, 2 * mean);
    }
    out
}

/// What stands there at `at`, and whether nothing touches the field within `span`.
fn wood_at(score: &Score, at: Tick) -> Codes {
    let mut wood = score.wood.clone();
    for cue in score.cues.iter().take_while(|cue| cue.at <= at) {
        match &cue.what {
            What::Field(field, piece) | What::Unnoticed(field, piece) => {
                wood[usize::from(field.index())] = *piece;
            }
            What::Wood(codes) => wood.clone_from(codes),
            What::Plug { wood: Some(codes), .. } => wood.clone_from(codes),
            _ => {}
        }
    }
    wood
}

fn is_left_alone(score: &Score, field: Field, from: Tick, to: Tick) -> bool {
    let near = |cue: &&Cue| cue.at >= from && cue.at <= to;
    score.cues.iter().filter(near).all(|cue| match &cue.what {
        What::Field(other, _) | What::Unnoticed(other, _) => *other != field,
        What::Wood(_) | What::Unplug | What::Plug { .. } => false,
        _ => true,
    })
}

/// At each moment one field that `fits` shows something else for a while.
fn blink(
    score: &mut Score,
    an_hour: u32,
    faults: &Faults,
    name: &str,
    longest_ms: u64,
    shows: fn(PieceCode, u64) -> Option<PieceCode>,
) {
    let mut rng = faults.numbers(name);
    for at in moments(score, an_hour, faults, name) {
        let until = at + Span::from_ms(rng.range(50, longest_ms));
        let wood = wood_at(score, at);
        let first = rng.range(0, 63);
        let which = rng.range(0, 11);
        let fields = (0..64).filter_map(|n| Field::new(((first + n) % 64) as u8));
        let found = fields
            .filter_map(|field| Some((field, shows(wood[usize::from(field.index())], which)?)))
            .find(|(field, _)| is_left_alone(score, *field, at, until));
        if let Some((field, other)) = found {
            let right = wood[usize::from(field.index())];
            score.cues.push(Cue { at, what: What::Field(field, other) });
            score.cues.push(Cue { at: until, what: What::Field(field, right) });
            score.cues.sort_by_key(|cue| cue.at);
        }
    }
}

fn ghost(score: &mut Score, an_hour: u32, faults: &Faults) {
    let shows = |stands: PieceCode, which| {
        (stands == PieceCode::EMPTY).then(|| PieceCode::from_byte(which as u8 + 1))
    };
    blink(score, an_hour, faults, "ghost", 1_500, shows);
}

fn flicker(score: &mut Score, an_hour: u32, faults: &Faults) {
    let shows = |stands: PieceCode, _| (stands != PieceCode::EMPTY).then_some(PieceCode::EMPTY);
    blink(score, an_hour, faults, "flicker", 450, shows);
}

fn misread(score: &mut Score, an_hour: u32, faults: &Faults) {
    let shows = |stands: PieceCode, which| {
        let other = PieceCode::from_byte(which as u8 + 1);
        (stands != PieceCode::EMPTY && stands != other).then_some(other)
    };
    blink(score, an_hour, faults, "misread", 2_000, shows);
}

fn unplug(score: &mut Score, an_hour: u32, faults: &Faults) {
    let mut rng = faults.numbers("unplug");
    for at in moments(score, an_hour, faults, "unplug") {
        let until = at + Span::from_ms(rng.range(2_000, 6_000));
        score.cues.push(Cue { at, what: What::Unplug });
        score.cues.push(Cue { at: until, what: What::Plug { wood: None, clock: None } });
    }
}

/// Whether this reading tells of more than time that has passed, after `before`.
fn is_change(before: Option<&ClockReport>, now: &ClockReport) -> bool {
    before.is_none_or(|before| (before.lever, before.running) != (now.lever, now.running))
}

/// Goes through the readings of the clock; each may be said or not, and come later.
fn readings(score: &mut Score, mut each: impl FnMut(Option<&ClockReport>, &mut Cue, ClockReport)) {
    let mut before: Option<ClockReport> = score.clock;
    for cue in &mut score.cues {
        if let What::Clock(report) = cue.what {
            each(before.as_ref(), cue, report);
            before = Some(report);
        }
    }
}

fn lever_late(score: &mut Score, longest_ms: u32, faults: &Faults) {
    let mut rng = faults.numbers("lever-late");
    let mut late: Option<Tick> = None;
    readings(score, |before, cue, report| {
        if before.is_some_and(|before| before.lever != report.lever) {
            let at = cue.at + Span::from_ms(rng.range(0, longest_ms.into()));
            (cue.at, late) = (at, Some(at));
        } else if late.is_some_and(|until| cue.at < until) {
            cue.what = What::Unsaid(report);
        }
    });
}

fn lever_lost(score: &mut Score, percent: u32, faults: &Faults) {
    let mut rng = faults.numbers("lever-lost");
    readings(score, |before, cue, report| {
        if before.is_some_and(|before| before.lever != report.lever) && rng.percent(percent) {
            cue.what = What::Unsaid(report);
        }
    });
}

fn only_changes(score: &mut Score, _: u32, _: &Faults) {
    readings(score, |before, cue, report| {
        if !is_change(before, &report) {
            cue.what = What::Unsaid(report);
        }
    });
}

fn cadence(score: &mut Score, seconds: u32, _: &Faults) {
    let mut said: Option<Tick> = None;
    readings(score, |before, cue, report| {
        let soon = said.is_some_and(|at| cue.at.since(at) < Span::from_ms(u64::from(seconds) * 1_000));
        match soon && !is_change(before, &report) {
            true => cue.what = What::Unsaid(report),
            false => said = Some(cue.at),
        }
    });
}

fn irregular(score: &mut Score, percent: u32, faults: &Faults) {
    let mut rng = faults.numbers("irregular");
    readings(score, |before, cue, report| {
        if !is_change(before, &report) && rng.percent(percent) {
            cue.what = What::Unsaid(report);
        }
    });
}

/// The next look of one that takes `every`.
fn next_look(at: Tick, every: u32) -> Tick {
    let every = u64::from(every) * 1_000;
    Tick::from_us(at.us().div_ceil(every) * every)
}

fn clock_poll(score: &mut Score, every: u32, _: &Faults) {
    readings(score, |_, cue, _| cue.at = next_look(cue.at, every));
    score.cues.sort_by_key(|cue| cue.at);
    // Of several readings between two looks only the last is seen.
    let mut last: Option<(Tick, usize)> = None;
    for index in 0..score.cues.len() {
        let What::Clock(_) = score.cues[index].what else { continue };
        let at = score.cues[index].at;
        if let Some((_, earlier)) = last.replace((at, index)).filter(|(then, _)| *then == at)
            && let What::Clock(report) = score.cues[earlier].what
        {
            score.cues[earlier].what = What::Unsaid(report);
        }
    }
}

fn scan(score: &mut Score, every: u32, _: &Faults) {
    for cue in &mut score.cues {
        if matches!(cue.what, What::Field(..)) {
            cue.at = next_look(cue.at, every);
        }
    }
    score.cues.sort_by_key(|cue| (cue.at, order(&cue.what)));
    // Of what happens on a field within one look only the end is seen.
    let mut index = 1;
    while index < score.cues.len() {
        let (before, now) = (&score.cues[index - 1], &score.cues[index]);
        match (&before.what, &now.what) {
            (What::Field(a, _), What::Field(b, _)) if a == b && before.at == now.at => {
                score.cues.remove(index - 1);
            }
            _ => index += 1,
        }
    }
}

/// Fields in their order, before everything else of the same moment.
fn order(what: &What) -> u8 {
    if let What::Field(field, _) = what { field.index() } else { u8::MAX }
}

fn lost(score: &mut Score, percent: u32, faults: &Faults) {
    let mut rng = faults.numbers("lost");
    for cue in &mut score.cues {
        if let What::Field(field, piece) = cue.what
            && rng.percent(percent)
        {
            cue.what = What::Unnoticed(field, piece);
        }
    }
}

fn turn_bits(score: &mut Score, _: u32, _: &Faults) {
    let contrary = |report: ClockReport| ClockReport {
        turn_bit_3: report.turn_bit_4,
        turn_bit_4: report.turn_bit_3,
        ..report
    };
    score.clock = score.clock.map(contrary);
    for cue in &mut score.cues {
        if let What::Clock(report) = cue.what {
            cue.what = What::Clock(contrary(report));
        }
    }
}

fn empty_clock(score: &mut Score, percent: u32, faults: &Faults) {
    let mut rng = faults.numbers("empty-clock");
    let mut more = Vec::new();
    for cue in &mut score.cues {
        if let What::Clock(report) = cue.what
            && rng.percent(percent)
        {
            more.push(Cue { at: cue.at, what: What::Say(Saying::EmptyClock) });
            cue.what = What::Unsaid(report);
        }
    }
    score.cues.append(&mut more);
}

/// What is said in the place of something else.
pub(in crate::emulator) fn message(saying: Saying) -> Message<'static> {
    match saying {
        Saying::EmptyClock => Message::EmptyClock,
        Saying::Ack(ack) => Message::Ack(ack),
    }
}
