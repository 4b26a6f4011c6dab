//! The facts of a case, read with care: what is missing is not known, what cannot be read is an
//! error that names it.

use std::str::FromStr;

use serde_json::{Map, Value};
use shakmaty::{ByColor, Color, Piece, Role, Square};

use super::{CaseError, CaseRead, setup};
use crate::events::Wood;
use crate::game::Position;
use crate::laws::role_name;
use crate::laws::{
    Act, Caller, Case, Claim, ClaimOf, Flag, GameOver, Order, Pause, Press, Reply, ReplyState, RuleSet,
    Rules, Score, Situation, StandingFound, StandingKind, Touch,
};

type Object = Map<String, Value>;

/// One fact by its key, and how to say that it cannot be read.
pub(super) struct Facts<'a>(pub(super) &'a Object);

impl<'a> Facts<'a> {
    /// The value; `None` where it is absent or null.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    pub(super) fn object(&self, key: &str) -> Result<Option<Facts<'a>>, CaseError> {
        self.get(key)
            .map(|value| value.as_object().map(Facts).ok_or_else(|| wrong(key, value, "an object")))
            .transpose()
    }

    pub(super) fn list(&self, key: &str) -> Result<&'a [Value], CaseError> {
        self.get(key).map_or(Ok(&[][..]), |value| {
            value.as_array().map(Vec::as_slice).ok_or_else(|| wrong(key, value, "a list"))
        })
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<&'a str>, CaseError> {
        self.get(key).map(|value| value.as_str().ok_or_else(|| wrong(key, value, "a text"))).transpose()
    }

    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, CaseError> {
        self.get(key)
            .map(|value| value.as_bool().ok_or_else(|| wrong(key, value, "true or false")))
            .transpose()
    }

    pub(super) fn number(&self, key: &str) -> Result<Option<u64>, CaseError> {
        self.get(key)
            .map(|value| value.as_u64().ok_or_else(|| wrong(key, value, "a whole number")))
            .transpose()
    }

    /// A moment; what lies beyond a year cannot be one.
    pub(super) fn millis(&self, key: &str) -> Result<Option<u64>, CaseError> {
        const YEAR: u64 = 366 * 24 * 3_600_000;
        match self.number(key)? {
            Some(ms) if ms > YEAR => Err(wrong(key, &self.0[key], "milliseconds, less than a year")),
            ms => Ok(ms),
        }
    }

    pub(super) fn color(&self, key: &str) -> Result<Option<Color>, CaseError> {
        self.word(key, &[("white", Color::White), ("black", Color::Black)])
    }

    /// One of several words.
    pub(super) fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, CaseError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let found = words.iter().find(|(word, _)| value.as_str() == Some(word)).map(|(_, it)| *it);
        let allowed: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        found.map(Some).ok_or_else(|| wrong(key, value, &format!("one of {}", allowed.join(", "))))
    }

    /// A value of each player; those absent have the default.
    pub(super) fn each<T: Clone + Default>(
        &self,
        key: &str,
        read: impl Fn(&Facts<'a>, &str) -> Result<Option<T>, CaseError>,
    ) -> Result<ByColor<T>, CaseError> {
        let Some(both) = self.object(key)? else { return Ok(ByColor::default()) };
        Ok(ByColor {
            white: read(&both, "white")?.unwrap_or_default(),
            black: read(&both, "black")?.unwrap_or_default(),
        })
    }
}

pub(super) fn wrong(key: &str, value: &Value, wanted: &str) -> CaseError {
    let mut given = value.to_string();
    if given.chars().count() > 60 {
        given = given.chars().take(60).chain("…".chars()).collect();
    }
    CaseError(format!("{key} is {given}: {wanted} is needed"))
}

const SITUATIONS: &[(&str, Situation)] = &[
    ("action", Situation::Action),
    ("found-late", Situation::FoundLate),
    ("game-over-claim", Situation::GameOverClaim),
    ("unexplained-found", Situation::UnexplainedFound),
    ("displaced-found", Situation::DisplacedFound),
    ("illegal-position-found", Situation::IllegalPositionFound),
    ("setup-found", Situation::SetupFound),
    ("orientation-found", Situation::OrientationFound),
    ("colours-reversed-found", Situation::ColoursReversedFound),
    ("clock-wrong-found", Situation::ClockWrongFound),
    ("counter-mismatch", Situation::CounterMismatch),
    ("flag-fall", Situation::FlagFall),
    ("draw-condition", Situation::DrawCondition),
    ("agreed-correction", Situation::AgreedCorrection),
];

pub(super) fn read(facts: &Object) -> Result<CaseRead, CaseError> {
    let facts = Facts(facts);
    let situation =
        facts.word("situation", SITUATIONS)?.ok_or_else(|| CaseError("there is no situation".to_owned()))?;
    let rules = rules(&facts)?;
    let mut case = Case::new(situation);
    case.position = position(&facts, "position")?;
    if let Some(history) = facts.object("history")? {
        let from = position(&history, "from")?.ok_or_else(|| CaseError("history has no from".to_owned()))?;
        case.history = Some((from, moves(history.list("moves")?, "history.moves")?));
    }
    case.since = moves(facts.list("since")?, "since")?;
    for value in facts.list("earlier")? {
        let object = value.as_object().ok_or_else(|| wrong("earlier", value, "a list of objects"))?;
        let earlier = Facts(object);
        if earlier.flag("adjudicated")? != Some(true) {
            case.earlier.push(act(&earlier)?);
        }
    }
    case.act = act(&facts)?;
    case.reply = reply(&facts)?;
    case.offences = facts.each("offences", |both, side| {
        let kind = |value: &Value| {
            let kind = value.get("kind").and_then(Value::as_str).map(str::to_owned);
            kind.ok_or_else(|| wrong("offences", value, "an object with a kind"))
        };
        both.list(side)?.iter().map(kind).collect::<Result<Vec<String>, CaseError>>().map(Some)
    })?;
    let count = |both: &Facts<'_>, side: &str| {
        both.number(side).map(|n| n.map(|n| u32::try_from(n).unwrap_or(u32::MAX)))
    };
    case.completed = facts.each("moves_completed", count)?;
    case.made = facts.each("moves_made", count)?;
    case.observed = facts.flag("arbiter_observed")?.unwrap_or(false);
    case.claims = claims(&facts)?;
    case.unpressed = facts.each("unpressed", |both, side| Ok(Some(both.text(side)?.is_some())))?;
    case.adjusting = facts.flag("adjust_announced")?;
    case.game_over = game_over(&facts)?;
    clock(&facts, &mut case)?;
    setup::read(&facts, &mut case)?;
    case.standing = standing(&facts)?;
    if let Some(agreement) = facts.object("agreement")? {
        case.agreed = Some(agreement.flag("during_game")?.unwrap_or(true));
    }
    if let Some(conduct) = facts.object("conduct")? {
        case.displaced_before = conduct.each("displacements_before", count)?;
        case.deliberate = conduct.flag("deliberate")?.unwrap_or(false);
    }
    Ok(CaseRead { case, rules })
}

fn rules(facts: &Facts<'_>) -> Result<Rules, CaseError> {
    let key = facts.text("ruleset")?.ok_or_else(|| CaseError("there is no ruleset".to_owned()))?;
    let set = RuleSet::by_key(key).ok_or_else(|| {
        let known: Vec<&str> = RuleSet::ALL.iter().map(|set| set.key).collect();
        CaseError(format!("rule set \"{key}\" is not known: use one of {}", known.join(", ")))
    })?;
    let mut rules = Rules::plain(set);
    if let Some(event) = facts.object("event")? {
        for (name, value) in
            event.0.iter().filter(|(name, value)| *name != "time_control" && !value.is_null())
        {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            rules.settings.choose(name, &text).map_err(CaseError)?;
        }
    }
    Ok(rules)
}

fn position(facts: &Facts<'_>, key: &str) -> Result<Option<String>, CaseError> {
    let Some(text) = facts.text(key)? else { return Ok(None) };
    match Position::from_fen(text) {
        Some(_) => Ok(Some(text.to_owned())),
        None => Err(CaseError(format!("{key} \"{text}\" is no FEN"))),
    }
}

fn moves(list: &[Value], key: &str) -> Result<Vec<String>, CaseError> {
    let one = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| wrong(key, value, "moves"));
    list.iter().map(one).collect()
}

fn act(facts: &Facts<'_>) -> Result<Act, CaseError> {
    let touches = facts.list("contacts")?.iter().map(touch).collect::<Result<Vec<Touch>, CaseError>>()?;
    let wood = match facts.text("placement_after")? {
        Some(text) => {
            Some(Wood::from_placement(text).map_err(|error| CaseError(format!("placement_after: {error}")))?)
        }
        None => None,
    };
    let press = match facts.object("press")? {
        Some(press) => Some(Press {
            by: press.color("by")?.ok_or_else(|| CaseError("press has no by".to_owned()))?,
            order: press
                .word(
                    "order",
                    &[("after", Order::After), ("before", Order::Before), ("uncertain", Order::Uncertain)],
                )?
                .unwrap_or(Order::After),
            at_ms: press.millis("t_ms")?,
            other_hand: press.text("hand")? == Some("other"),
            neighbour: press.text("person")? == Some("neighbour"),
        }),
        None => None,
    };
    let two_hands = facts.number("hands")?.is_some_and(|hands| hands > 1);
    Ok(Act { actor: facts.color("actor")?, touches, wood, press, two_hands })
}

fn touch(value: &Value) -> Result<Touch, CaseError> {
    let object = value.as_object().ok_or_else(|| wrong("contacts", value, "objects"))?;
    let facts = Facts(object);
    let (lifted, square) = match (facts.text("lift")?, facts.text("place")?) {
        (Some(square), None) => (true, square),
        (None, Some(square)) => (false, square),
        _ => return Err(wrong("contacts", value, "either lift or place")),
    };
    let square = Square::from_str(square).map_err(|_| wrong("contacts", value, "a square"))?;
    let mut letters = facts.text("piece")?.unwrap_or_default().chars();
    let piece = match (letters.next().and_then(Piece::from_char), letters.next()) {
        (Some(piece), None) => piece,
        _ => return Err(wrong("contacts", value, "a piece letter")),
    };
    let inverted = facts.flag("inverted")? == Some(true);
    let roles = Role::ALL.map(|role| (role_name(role), role));
    let announced = facts.word("announced", &roles)?;
    Ok(Touch { square, piece, lifted, at_ms: facts.millis("t_ms")?, inverted, announced })
}

fn reply(facts: &Facts<'_>) -> Result<Reply, CaseError> {
    let Some(opponent) = facts.object("opponent")? else { return Ok(Reply::default()) };
    let states = [
        ("none", ReplyState::None),
        ("lifted", ReplyState::Lifted),
        ("released", ReplyState::Released),
        ("pressed", ReplyState::Pressed),
        ("pressed-back", ReplyState::PressedBack),
    ];
    let state = opponent.word("state", &states)?.unwrap_or_default();
    Ok(Reply { state, uci: opponent.text("move")?.map(str::to_owned) })
}

fn claims(facts: &Facts<'_>) -> Result<Vec<Claim>, CaseError> {
    let mut out = Vec::new();
    let whats = [
        ("illegal-move", ClaimOf::IllegalMove),
        ("touch-move", ClaimOf::TouchMove),
        ("flag-fall", ClaimOf::FlagFall),
        ("win", ClaimOf::IllegalMove),
    ];
    for value in facts.list("claims")? {
        let claim = Facts(value.as_object().ok_or_else(|| wrong("claims", value, "a list of objects"))?);
        let (Some(by), Some(of)) = (claim.color("by")?, claim.word("what", &whats)?) else {
            return Err(wrong("claims", value, "by and what"));
        };
        out.push(Claim { by, of });
    }
    if out.is_empty() {
        let both = [Color::White, Color::Black];
        let by: &[Color] = match facts.text("claim_by")? {
            Some("white") => &both[..1],
            Some("black") => &both[1..],
            Some("both") => &both,
            None => &[],
            Some(_) => return Err(wrong("claim_by", &facts.0["claim_by"], "white, black or both")),
        };
        out.extend(by.iter().map(|by| Claim { by: *by, of: ClaimOf::IllegalMove }));
    }
    Ok(out)
}

fn game_over(facts: &Facts<'_>) -> Result<Option<GameOver>, CaseError> {
    let Some(over) = facts.object("game_over")? else { return Ok(None) };
    let by_mate = over.word("how", &[("signed", false), ("checkmate", true)])?.unwrap_or(false);
    let scores =
        [Score::Won(Color::White), Score::Won(Color::Black), Score::Draw].map(|score| (score.word(), score));
    Ok(Some(GameOver { by_mate, result: over.word("result", &scores)? }))
}

fn clock(facts: &Facts<'_>, case: &mut Case) -> Result<(), CaseError> {
    let Some(clock) = facts.object("clock")? else { return Ok(()) };
    if let Some(flag) = clock.object("flag")? {
        let callers = [
            ("arbiter", Caller::Arbiter),
            ("white", Caller::Player(Color::White)),
            ("black", Caller::Player(Color::Black)),
        ];
        case.flag = Some(Flag {
            side: flag.color("side")?.ok_or_else(|| CaseError("flag has no side".to_owned()))?,
            noticed_ms: flag.millis("noticed_ms")?,
            called_by: flag.word("called_by", &callers)?,
        });
    }
    if let Some(paused) = clock.object("paused")? {
        let why = [("piece-missing", Pause::PieceMissing), ("claim", Pause::Claim)];
        case.paused = Some(paused.word("reason", &why)?.unwrap_or(Pause::Claim));
    }
    let event = facts.object("event")?;
    let wanted = match &event {
        Some(event) => event.object("time_control")?,
        None => None,
    };
    if let (Some(set), Some(wanted)) = (clock.object("programmed")?, wanted) {
        case.clock_wrong =
            set.0.iter().any(|(key, value)| wanted.0.get(key).is_some_and(|other| other != value));
    }
    if let Some(counter) = clock.object("move_counter")? {
        let differs = |side: &str, done: u32| Ok(counter.number(side)?.is_some_and(|n| n != u64::from(done)));
        case.counter_wrong = differs("white", case.made.white)? || differs("black", case.made.black)?;
    }
    Ok(())
}

fn standing(facts: &Facts<'_>) -> Result<Option<StandingFound>, CaseError> {
    let Some(standing) = facts.object("standing")? else { return Ok(None) };
    let mut squares = Vec::new();
    for value in standing.list("squares")? {
        let square = value.as_str().and_then(|text| Square::from_str(text).ok());
        squares.push(square.ok_or_else(|| wrong("standing.squares", value, "squares"))?);
    }
    let at = if let [correct, found] = squares[..] { Some((correct, found)) } else { None };
    let kinds = [
        ("both-kings-in-check", StandingKind::BothKingsInCheck),
        ("pawn-on-last-rank", StandingKind::PawnOnLastRank),
        ("displaced", StandingKind::Displaced(at)),
    ];
    let kind = standing.word("kind", &kinds)?.ok_or_else(|| CaseError("standing has no kind".to_owned()))?;
    let completed_since = standing.number("completed_since")?.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    Ok(Some(StandingFound { kind, completed_since }))
}
