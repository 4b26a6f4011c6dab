//! The shortest list of hand movements from the wood as it is to a position.
//!
//! Each square that is wrong is an edge from the kind of piece that stands there to the kind that
//! must stand there; "nothing" and "beside the board" are one node, which also evens out what there
//! is too much or too little of. Each kind needs as many movements as pieces of it must leave a
//! square or come to one, whichever is more. Where the edges that hang together do not touch that
//! node, every square in question is taken by a piece that belongs on another of them: the first
//! movement cannot end where it should, so one more is needed, and one is enough. A round trip over
//! all edges (each node is left as often as it is entered) is a list of that length in which every
//! square is free when its piece comes.

use shakmaty::{Board, Piece, Square};

use super::Homes;
use crate::events::{Sensed, Wood};
use crate::laws::reason::{color_name, role_name};

/// One movement of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandMove {
    /// What is moved; `None` if the board cannot tell.
    pub piece: Option<Piece>,
    /// From there; `None`: from beside the board.
    pub from: Option<Square>,
    /// To there; `None`: beside the board.
    pub to: Option<Square>,
    /// It was laid aside for a moment, or is.
    pub aside: bool,
}

impl HandMove {
    /// The movement as an arbiter says it: `knight f3 back to g1`.
    #[must_use]
    pub fn text(&self) -> String {
        let role = self.piece.map_or("piece", |piece| role_name(piece.role));
        let full = self.piece.map_or_else(
            || role.to_owned(),
            |piece| format!("{} {role}", color_name(piece.color).to_lowercase()),
        );
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => format!("{role} back to {to}"),
            (Some(from), Some(to)) => format!("{role} {from} back to {to}"),
            (Some(from), None) if self.aside => format!("lay the {full} {from} aside"),
            (Some(from), None) => format!("take the {full} off {from}"),
            (None, Some(to)) if self.aside => format!("{full} that was laid aside to {to}"),
            (None, Some(to)) => format!("{full} from beside the board to {to}"),
            (None, None) => format!("leave the {full} beside the board"),
        }
    }
}

/// What stands on a square, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Nothing,
    Unknown,
    Piece(Piece),
}

/// A square that is wrong.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    square: Square,
    stands: Stands,
    wanted: Option<Piece>,
}

/// A piece and where it goes, before the order is known.
#[derive(Clone, Copy, Debug)]
struct Trip {
    piece: Option<Piece>,
    from: Option<Square>,
    to: Option<Square>,
}

/// The hand movements that make `target` of `wood`, as few as possible, in an order in which every
/// square is free when its piece comes.
///
/// `known` says what stands where the board sees only that something does. Among the shortest lists
/// one is taken in which pieces go back to their `homes`, then over short ways.
#[must_use]
pub fn plan(wood: &Wood, known: &Board, target: &Board, homes: &Homes) -> Vec<HandMove> {
    let wrong = wrong(wood, known, target);
    let mut trips = trips(&wrong, homes);
    join(&mut trips, homes);
    in_order(&wrong, &trips, homes)
}

/// The squares that are wrong, with what stands there named where it can be.
fn wrong(wood: &Wood, known: &Board, target: &Board) -> Vec<Wrong> {
    let mut wrong: Vec<Wrong> = Vec::new();
    for square in Square::ALL {
        let wanted = target.piece_at(square);
        let stands = match wood.at(square) {
            Sensed::Empty => Stands::Nothing,
            Sensed::Piece(piece) => Stands::Piece(piece),
            Sensed::Something => match known.piece_at(square).or(wanted) {
                Some(piece) => Stands::Piece(piece),
                None => Stands::Unknown,
            },
        };
        if stands != wanted.map_or(Stands::Nothing, Stands::Piece) {
            wrong.push(Wrong { square, stands, wanted });
        }
    }
    name_unknown(&mut wrong);
    wrong
}

/// What nobody can name is taken for the nearest piece that is missing.
fn name_unknown(wrong: &mut [Wrong]) {
    let count = |list: &[Wrong], piece: Piece| {
        let stand = list.iter().filter(|w| w.stands == Stands::Piece(piece)).count();
        (stand, list.iter().filter(|w| w.wanted == Some(piece)).count())
    };
    for index in 0..wrong.len() {
        if wrong[index].stands != Stands::Unknown {
            continue;
        }
        let here = wrong[index].square;
        let missing = wrong.iter().filter(|w| w.stands == Stands::Nothing).filter_map(|w| {
            let piece = w.wanted?;
            let (stand, wanted) = count(wrong, piece);
            (stand < wanted).then_some((here.distance(w.square), w.square, piece))
        });
        if let Some((_, _, piece)) = missing.min_by_key(|(far, square, _)| (*far, *square)) {
            wrong[index].stands = Stands::Piece(piece);
        }
    }
}

/// How natural a trip is: the less the better.
fn effort(homes: &Homes, from: Option<Square>, to: Option<Square>) -> u32 {
    /// More than all ways of a plan together.
    const ASTRAY: u32 = 1_000;
    match (from, to) {
        (Some(from), Some(to)) if homes.lead(from, to) => 0,
        (Some(from), Some(to)) => ASTRAY + from.distance(to),
        _ => ASTRAY,
    }
}

/// Each piece that must leave gets a square that wants one like it, the most natural pairs first;
/// what is left over goes off, what is still wanted comes from beside the board.
fn trips(wrong: &[Wrong], homes: &Homes) -> Vec<Trip> {
    let mut pairs: Vec<(u32, Square, Square, Piece)> = Vec::new();
    for leaves in wrong {
        let Stands::Piece(piece) = leaves.stands else { continue };
        for wants in wrong.iter().filter(|w| w.wanted == Some(piece)) {
            let (from, to) = (leaves.square, wants.square);
            pairs.push((effort(homes, Some(from), Some(to)), from, to, piece));
        }
    }
    pairs.sort_by_key(|(effort, from, to, _)| (*effort, *from, *to));
    let mut trips: Vec<Trip> = Vec::new();
    for (_, from, to, piece) in pairs {
        if !trips.iter().any(|t| t.from == Some(from) || t.to == Some(to)) {
            trips.push(Trip { piece: Some(piece), from: Some(from), to: Some(to) });
        }
    }
    for w in wrong {
        let piece = match w.stands {
            Stands::Piece(piece) => Some(piece),
            Stands::Nothing | Stands::Unknown => None,
        };
        if w.stands != Stands::Nothing && !trips.iter().any(|t| t.from == Some(w.square)) {
            trips.push(Trip { piece, from: Some(w.square), to: None });
        }
        if w.wanted.is_some() && !trips.iter().any(|t| t.to == Some(w.square)) {
            trips.push(Trip { piece: w.wanted, from: None, to: Some(w.square) });
        }
    }
    trips
}

/// The trip that can follow: it goes to the square that this one frees.
fn next(trips: &[Trip], trip: &Trip) -> Option<usize> {
    let freed = trip.from?;
    trips.iter().position(|t| t.to == Some(freed))
}

/// The trips that free each other's squares in a round: each round needs a piece laid aside.
fn rounds(trips: &[Trip]) -> Vec<Option<usize>> {
    let mut label: Vec<Option<usize>> = vec![None; trips.len()];
    for start in 0..trips.len() {
        let mut round = vec![start];
        while let Some(at) = round.last().and_then(|last| next(trips, &trips[*last])) {
            if at == start {
                round.iter().for_each(|at| label[*at] = label[*at].or(Some(start)));
                break;
            }
            if round.contains(&at) {
                break;
            }
            round.push(at);
        }
    }
    label
}

/// Rounds are joined with other trips of the same kind of piece by letting two pieces exchange
/// where they go: each join saves laying a piece aside.
fn join(trips: &mut [Trip], homes: &Homes) {
    loop {
        let label = rounds(trips);
        let mut best: Option<(u32, usize, usize)> = None;
        for a in 0..trips.len() {
            for b in 0..trips.len() {
                if label[a].is_none() || label[a] == label[b] || trips[a].piece != trips[b].piece {
                    continue;
                }
                let cost =
                    effort(homes, trips[a].from, trips[b].to) + effort(homes, trips[b].from, trips[a].to);
                if best.is_none_or(|known| (cost, a, b) < known) {
                    best = Some((cost, a, b));
                }
            }
        }
        let Some((_, a, b)) = best else { return };
        let to = trips[a].to;
        trips[a].to = trips[b].to;
        trips[b].to = to;
    }
}

/// The trips one after the other: what frees a square comes before what goes there.
fn in_order(wrong: &[Wrong], trips: &[Trip], homes: &Homes) -> Vec<HandMove> {
    let free = |square: Option<Square>| {
        square.is_none_or(|s| wrong.iter().any(|w| w.square == s && w.stands == Stands::Nothing))
    };
    let key = |trip: &Trip| (effort(homes, trip.from, trip.to).min(1), trip.to.or(trip.from));
    let mut starts: Vec<&Trip> = trips.iter().filter(|trip| free(trip.to)).collect();
    starts.sort_by_key(|trip| key(trip));
    let mut out: Vec<HandMove> = Vec::new();
    let hand = |trip: &Trip| HandMove { piece: trip.piece, from: trip.from, to: trip.to, aside: false };
    for start in starts {
        let mut trip = *start;
        out.push(hand(&trip));
        while let Some(following) = next(trips, &trip) {
            trip = trips[following];
            out.push(hand(&trip));
        }
    }
    let label = rounds(trips);
    for (first, trip) in trips.iter().enumerate().filter(|(at, _)| label[*at] == Some(*at)) {
        out.push(HandMove { to: None, aside: true, ..hand(trip) });
        let mut at = first;
        while let Some(following) = next(trips, &trips[at]).filter(|following| *following != first) {
            at = following;
            out.push(hand(&trips[at]));
        }
        out.push(HandMove { from: None, aside: true, ..hand(trip) });
    }
    out
}

#[cfg(test)]
mod tests;
