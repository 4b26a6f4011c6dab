//! The `data` of each kind of record, as it is written. The core's own types know nothing of it.

mod carried;

use serde::{Deserialize, Serialize};
use shakmaty::{Piece, Square};

use self::carried::{CarriedData, from_carried, to_carried};
use super::calibration::CalibrationData;
use super::record::{After, Answered, Entry, GoesOn, Header, Shown};
use super::said::Said;
use crate::alerts::{Request, Response, Verb};
use crate::events::{
    BoardId, ClockReading, Device, Identity, Lever, Pieces, Report, Seat, Sensed, SensorSquare, Setup,
    Shadow, Start, TimeControl, Variant, Wood,
};
use crate::mating::{Answer, CanStillMate, Impossible, Open, Proof};
use crate::table::{Input, MatingAnswer};
use crate::tick::{Dial, Span};

/// `kind` and `data`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", content = "data", rename_all = "lowercase")]
pub(super) enum Data {
    Header(HeaderData),
    Carried(Box<CarriedData>),
    Setting(SettingData),
    Bytes {
        hex: String,
    },
    Report(ReportData),
    Timer {},
    Request(RequestData),
    Answer(AnswerData),
    Calibration(CalibrationData),
    Shown {
        #[serde(flatten)]
        shown: ShownData,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<Said>,
    },
    Response {
        id: String,
        done: bool,
        text: String,
    },
    #[serde(rename = "goes-on")]
    GoesOn {
        program: String,
        at_ms: u64,
    },
}

#[derive(Serialize, Deserialize)]
pub(super) struct HeaderData {
    program: String,
    #[serde(default)]
    node: String,
    board: String,
    ruleset: String,
    start_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    after: Option<AfterData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules_digest: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock_synchronised: Option<bool>,
}

#[derive(Serialize, Deserialize)]
struct AfterData {
    file: String,
    hash: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SettingData {
    board: String,
    ruleset: String,
    time_control: Option<TimeData>,
    /// A FEN; `null` for the initial array.
    start: Option<String>,
    variant: VariantData,
    pieces: PiecesData,
    device: DeviceData,
    scan_us: u64,
    first_game: u32,
    #[serde(default)]
    white_sits: Option<SeatData>,
    #[serde(default)]
    shadow: bool,
    #[serde(default)]
    shadow_rules: Vec<String>,
    /// What the event changes in the rule set, and its settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    event_rules: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    escalate_us: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    calibration: Option<CalibrationData>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(us: &u64) -> bool {
    *us == 0
}

#[derive(Serialize, Deserialize)]
struct TimeData {
    base_s: u32,
    inc_s: u32,
    bonus: Option<(u32, u32)>,
    increment_on_first_move: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum VariantData {
    Standard,
    Chess960,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PiecesData {
    Identified,
    Occupancy,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DeviceData {
    Dgt,
    Neutral,
}

#[derive(Serialize, Deserialize)]
enum SeatData {
    #[serde(rename = "rank-1")]
    FirstRank,
    #[serde(rename = "rank-8")]
    EighthRank,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ReportData {
    Dump(String),
    /// The piece is a letter, `X` for something unknown, `null` for nothing.
    Square {
        at: String,
        seen: Option<char>,
    },
    Clock {
        left_ms: u32,
        right_ms: u32,
        running: Option<LeverData>,
        down: LeverData,
        flag: Option<LeverData>,
    },
    ClockConnected(bool),
    LinkUp(bool),
    Serial(String),
    Version(u8, u8),
    Battery(u8),
    Junk {
        why: String,
        bytes: u16,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum LeverData {
    Left,
    Right,
}

#[derive(Serialize, Deserialize)]
pub(super) struct RequestData {
    id: String,
    by: String,
    verb: String,
    /// The keys of the verb, as in its message.
    #[serde(flatten)]
    keys: serde_json::Map<String, serde_json::Value>,
}

/// `reason` says why it cannot, or why nothing is proven; `line` mates.
#[derive(Serialize, Deserialize)]
pub(super) struct AnswerData {
    question: u32,
    can_mate: MateData,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<Vec<String>>,
    #[serde(default)]
    nodes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MateData {
    Yes,
    No,
    NotProven,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ShownData {
    Alert { id: String, revision: u32 },
    Finding { id: String, revision: u32 },
    Withdraw { id: String },
    Move { ply: u32, revision: u32 },
    Retract { to_ply: u32 },
    Shadowed { id: String, revision: u32 },
    Held { id: String, revision: u32 },
}

impl From<&Header> for HeaderData {
    fn from(header: &Header) -> Self {
        HeaderData {
            program: header.program.clone(),
            node: header.node.clone(),
            board: header.board.as_str().to_owned(),
            ruleset: header.ruleset.clone(),
            start_ms: header.start_ms,
            after: header
                .after
                .as_ref()
                .map(|After { file, hash }| AfterData { file: file.clone(), hash: hash.clone() }),
            rules_digest: header.rules_digest.clone(),
            clock_synchronised: header.clock_synchronised,
        }
    }
}

pub(super) fn from_input(input: &Input) -> Data {
    match input {
        Input::Carried(carried) => Data::Carried(Box::new(from_carried(carried))),
        Input::Setting(setup) => Data::Setting(setting(setup)),
        Input::Bytes(bytes) => Data::Bytes { hex: hex::encode(bytes) },
        Input::Report(report) => Data::Report(from_report(report)),
        Input::Timer => Data::Timer {},
        Input::Request(request) => Data::Request(RequestData {
            id: request.id.clone(),
            by: request.by.clone(),
            verb: request.verb.word().to_owned(),
            keys: request.verb.keys(),
        }),
        Input::Answer(answer) => Data::Answer(from_answer(answer)),
    }
}

fn setting(setup: &Setup) -> SettingData {
    SettingData {
        board: setup.board.as_str().to_owned(),
        ruleset: setup.ruleset.clone(),
        time_control: setup.time_control.map(|time| TimeData {
            base_s: time.base_s,
            inc_s: time.inc_s,
            bonus: time.bonus,
            increment_on_first_move: time.increment_on_first_move,
        }),
        start: match &setup.start {
            Start::Standard => None,
            Start::Fen(fen) => Some(fen.clone()),
        },
        variant: match setup.variant {
            Variant::Standard => VariantData::Standard,
            Variant::Chess960 => VariantData::Chess960,
        },
        pieces: match setup.pieces {
            Pieces::Identified => PiecesData::Identified,
            Pieces::Occupancy => PiecesData::Occupancy,
        },
        device: match setup.device {
            Device::Dgt => DeviceData::Dgt,
            Device::Neutral => DeviceData::Neutral,
        },
        scan_us: setup.scan.us(),
        first_game: setup.first_game,
        white_sits: setup.white_sits.map(|seat| match seat {
            Seat::FirstRank => SeatData::FirstRank,
            Seat::EighthRank => SeatData::EighthRank,
        }),
        shadow: setup.shadow.board,
        shadow_rules: setup.shadow.rules.clone(),
        event_rules: setup.event_rules.clone(),
        zone: setup.zone.clone(),
        escalate_us: setup.escalate.us(),
        calibration: setup.calibration.as_deref().map(CalibrationData::of),
    }
}

fn from_report(report: &Report) -> ReportData {
    let lever = |lever: Lever| match lever {
        Lever::Left => LeverData::Left,
        Lever::Right => LeverData::Right,
    };
    match report {
        Report::Dump(wood) => ReportData::Dump(wood.placement()),
        Report::Square { at, seen } => ReportData::Square { at: at.raw().to_string(), seen: seen.letter() },
        Report::Clock(clock) => ReportData::Clock {
            left_ms: clock.left.ms(),
            right_ms: clock.right.ms(),
            running: clock.running.map(lever),
            down: lever(clock.down),
            flag: clock.flag.map(lever),
        },
        Report::ClockConnected(connected) => ReportData::ClockConnected(*connected),
        Report::Link { up } => ReportData::LinkUp(*up),
        Report::Identity(Identity::Serial(text)) => ReportData::Serial(text.clone()),
        Report::Identity(Identity::Version(major, minor)) => ReportData::Version(*major, *minor),
        Report::Identity(Identity::Battery(percent)) => ReportData::Battery(*percent),
        Report::Junk { why, bytes } => ReportData::Junk { why: (*why).to_owned(), bytes: *bytes },
    }
}

pub(super) fn from_shown(shown: &Shown, said: Option<Said>) -> Data {
    let shown = match shown {
        Shown::Alert { id, revision } => ShownData::Alert { id: id.clone(), revision: *revision },
        Shown::Finding { id, revision } => ShownData::Finding { id: id.clone(), revision: *revision },
        Shown::Withdraw { id } => ShownData::Withdraw { id: id.clone() },
        Shown::Move { ply, revision } => ShownData::Move { ply: *ply, revision: *revision },
        Shown::Retract { to_ply } => ShownData::Retract { to_ply: *to_ply },
        Shown::Shadowed { id, revision } => ShownData::Shadowed { id: id.clone(), revision: *revision },
        Shown::Held { id, revision } => ShownData::Held { id: id.clone(), revision: *revision },
    };
    Data::Shown { shown, said }
}

pub(super) fn from_response(response: &Response) -> Data {
    let (Ok(text) | Err(text)) = &response.outcome;
    Data::Response { id: response.id.clone(), done: response.outcome.is_ok(), text: text.clone() }
}

pub(super) fn from_goes_on(goes_on: &GoesOn) -> Data {
    Data::GoesOn { program: goes_on.program.clone(), at_ms: goes_on.at_ms }
}

/// From the text back to the core's types; the error says what is wrong.
pub(super) fn to_entry(data: Data) -> Result<Entry, String> {
    Ok(match data {
        Data::Header(data) => Entry::Header(Header {
            program: data.program,
            node: data.node,
            board: board(&data.board)?,
            ruleset: data.ruleset,
            start_ms: data.start_ms,
            after: data.after.map(|AfterData { file, hash }| After { file, hash }),
            rules_digest: data.rules_digest,
            clock_synchronised: data.clock_synchronised,
        }),
        Data::Carried(data) => Entry::Input(Input::Carried(Box::new(to_carried(*data)?))),
        Data::Setting(data) => Entry::Input(Input::Setting(Box::new(to_setup(data)?))),
        Data::Bytes { hex } => {
            Entry::Input(Input::Bytes(hex::decode(hex).map_err(|error| format!("bytes: {error}"))?))
        }
        Data::Report(data) => Entry::Input(Input::Report(to_report(data)?)),
        Data::Timer {} => Entry::Input(Input::Timer),
        Data::Request(data) => Entry::Input(Input::Request(to_request(data)?)),
        Data::Answer(data) => Entry::Input(Input::Answer(to_answer(data)?)),
        Data::Shown { shown, .. } => Entry::Shown(match shown {
            ShownData::Alert { id, revision } => Shown::Alert { id, revision },
            ShownData::Finding { id, revision } => Shown::Finding { id, revision },
            ShownData::Withdraw { id } => Shown::Withdraw { id },
            ShownData::Move { ply, revision } => Shown::Move { ply, revision },
            ShownData::Retract { to_ply } => Shown::Retract { to_ply },
            ShownData::Shadowed { id, revision } => Shown::Shadowed { id, revision },
            ShownData::Held { id, revision } => Shown::Held { id, revision },
        }),
        Data::Calibration(data) => Entry::Calibration(Box::new(data.read())),
        Data::GoesOn { program, at_ms } => Entry::GoesOn(GoesOn { program, at_ms }),
        Data::Response { id, done, text } => Entry::Response(Answered { id, done, text }),
    })
}

fn from_answer(answer: &MatingAnswer) -> AnswerData {
    let Answer { proof, nodes, by } = &answer.answer;
    let (line, reason) = match proof {
        Proof::Line(line) => (Some(line.clone()), None),
        Proof::Never(why) => (None, Some(why.word().to_owned())),
        Proof::Open(why) => (None, Some(why.word().to_owned())),
    };
    let can_mate = match answer.answer.verdict() {
        CanStillMate::Yes => MateData::Yes,
        CanStillMate::No => MateData::No,
        CanStillMate::NotProven => MateData::NotProven,
    };
    AnswerData { question: answer.question, can_mate, reason, line, nodes: *nodes, by: by.clone() }
}

fn to_answer(data: AnswerData) -> Result<MatingAnswer, String> {
    let reason = data.reason.unwrap_or_default();
    let proof = match (data.can_mate, data.line) {
        (MateData::Yes, Some(line)) => Proof::Line(line),
        (MateData::Yes, None) => return Err("an answer \"yes\" without its line".to_owned()),
        (MateData::No, _) => Impossible::ALL
            .into_iter()
            .find(|why| why.word() == reason)
            .map(Proof::Never)
            .ok_or_else(|| format!("\"{reason}\" is no reason why mate is impossible"))?,
        // Earlier versions gave no reason, and had no solver.
        (MateData::NotProven, _) => {
            Proof::Open(Open::ALL.into_iter().find(|why| why.word() == reason).unwrap_or(Open::Unanswered))
        }
    };
    let answer = Answer { proof, nodes: data.nodes, by: data.by };
    Ok(MatingAnswer { question: data.question, answer })
}

fn board(text: &str) -> Result<BoardId, String> {
    BoardId::new(text).map_err(|error| error.to_string())
}

fn to_setup(data: SettingData) -> Result<Setup, String> {
    Ok(Setup {
        board: board(&data.board)?,
        ruleset: data.ruleset,
        time_control: data.time_control.map(|time| TimeControl {
            base_s: time.base_s,
            inc_s: time.inc_s,
            bonus: time.bonus,
            increment_on_first_move: time.increment_on_first_move,
        }),
        start: data.start.map_or(Start::Standard, Start::Fen),
        variant: match data.variant {
            VariantData::Standard => Variant::Standard,
            VariantData::Chess960 => Variant::Chess960,
        },
        pieces: match data.pieces {
            PiecesData::Identified => Pieces::Identified,
            PiecesData::Occupancy => Pieces::Occupancy,
        },
        device: match data.device {
            DeviceData::Dgt => Device::Dgt,
            DeviceData::Neutral => Device::Neutral,
        },
        scan: Span::from_us(data.scan_us),
        first_game: data.first_game,
        white_sits: data.white_sits.map(|seat| match seat {
            SeatData::FirstRank => Seat::FirstRank,
            SeatData::EighthRank => Seat::EighthRank,
        }),
        shadow: Shadow { board: data.shadow, rules: data.shadow_rules },
        event_rules: data.event_rules,
        zone: data.zone,
        escalate: Span::from_us(data.escalate_us),
        calibration: data.calibration.map(|data| Box::new(data.read())),
    })
}

fn to_request(data: RequestData) -> Result<Request, String> {
    let verb = Verb::read(&data.verb, &data.keys)?;
    Ok(Request { id: data.id, by: data.by, verb })
}

fn to_report(data: ReportData) -> Result<Report, String> {
    let lever = |lever: LeverData| match lever {
        LeverData::Left => Lever::Left,
        LeverData::Right => Lever::Right,
    };
    Ok(match data {
        ReportData::Dump(placement) => {
            Report::Dump(Wood::from_placement(&placement).map_err(|error| error.to_string())?)
        }
        ReportData::Square { at, seen } => Report::Square {
            at: SensorSquare::new(
                at.parse::<Square>().map_err(|_| format!("square \"{at}\" is not a1 to h8"))?,
            ),
            seen: match seen {
                None => Sensed::Empty,
                Some('X') => Sensed::Something,
                Some(letter) => {
                    Sensed::Piece(Piece::from_char(letter).ok_or(format!("'{letter}' is no piece"))?)
                }
            },
        },
        ReportData::Clock { left_ms, right_ms, running, down, flag } => Report::Clock(ClockReading {
            left: Dial::from_ms(left_ms),
            right: Dial::from_ms(right_ms),
            running: running.map(lever),
            down: lever(down),
            flag: flag.map(lever),
        }),
        ReportData::ClockConnected(connected) => Report::ClockConnected(connected),
        ReportData::LinkUp(up) => Report::Link { up },
        ReportData::Serial(text) => Report::Identity(Identity::Serial(text)),
        ReportData::Version(major, minor) => Report::Identity(Identity::Version(major, minor)),
        ReportData::Battery(percent) => Report::Identity(Identity::Battery(percent)),
        ReportData::Junk { why, bytes } => Report::Junk { why: reason(&why), bytes },
    })
}

/// The reasons for junk are a closed list of names; one that this version does not know is only
/// counted, so it keeps its place under a common name.
fn reason(why: &str) -> &'static str {
    const KNOWN: [&str; 7] =
        ["unframed", "cut", "bad-length", "unknown-id", "out-of-range", "log-unreadable", "not-a-chessboard"];
    KNOWN.into_iter().find(|known| *known == why).unwrap_or("other")
}
