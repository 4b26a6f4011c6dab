//! What is asked with, and what is answered.

/// Who proves what the search of our own does not.
pub const SOLVER: &str = "chasolver 3.0.0";

/// The most nodes that chasolver visits for one question, by the bounds it is built with: a
/// million in its first search, 2^24 in its last, and a few thousand between.
const SOLVER_NODES: u64 = 17_800_000;
/// More positions are not kept at a time.
const OWN_NODES: u64 = 100_000;

/// How many nodes a question may cost.
///
/// chasolver takes no bound from outside; its full search is run only where its own bounds fit
/// into the budget, and its quick look at blocked positions otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    nodes: u64,
}

impl Budget {
    /// For an answer that decides a game.
    pub const DECIDES: Budget = Budget::nodes(20_000_000);
    /// For looking at a position that nobody has asked about.
    pub const WATCHES: Budget = Budget::nodes(20_000);

    /// So many nodes.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Budget { nodes }
    }

    /// What the search of our own may use.
    pub(super) fn own(self) -> u64 {
        self.nodes.min(OWN_NODES)
    }

    /// Whether chasolver's full search fits in.
    pub(super) fn admits_solver(self) -> bool {
        self.nodes >= SOLVER_NODES
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::DECIDES
    }
}

/// The answer in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanStillMate {
    /// It can.
    Yes,
    /// It cannot.
    No,
    /// Neither was proven.
    NotProven,
}

impl CanStillMate {
    /// The word used in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            CanStillMate::Yes => "yes",
            CanStillMate::No => "no",
            CanStillMate::NotProven => "not-proven",
        }
    }
}

/// What shows that the answer is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It can: these moves mate, in UCI notation (castling: king takes rook in Chess960).
    Line(Vec<String>),
    /// It cannot, and why.
    Never(Impossible),
    /// Not proven, and why.
    Open(Open),
}

/// Why mate is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The position is stalemate.
    Stalemate,
    /// The side asked about is mated itself.
    Mated,
    /// The pieces do not suffice, whatever is played.
    Material,
    /// Every position that can still arise was visited, and none is mate.
    Exhausted,
    /// chasolver has a proof.
    Solver,
}

impl Impossible {
    /// All of them.
    pub const ALL: [Impossible; 5] = [
        Impossible::Stalemate,
        Impossible::Mated,
        Impossible::Material,
        Impossible::Exhausted,
        Impossible::Solver,
    ];

    /// The word used in messages and journals.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Impossible::Stalemate => "stalemate",
            Impossible::Mated => "mated-itself",
            Impossible::Material => "material",
            Impossible::Exhausted => "exhausted",
            Impossible::Solver => "solver",
        }
    }
}

/// Why nothing is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// The budget did not suffice.
    Budget,
    /// The position is not a legal one.
    NotLegal,
    /// The solver gave a line that does not mate.
    LineFails,
    /// The question was not looked into: too many were waiting, or the solver failed.
    Unanswered,
}

impl Open {
    /// All of them.
    pub const ALL: [Open; 4] = [Open::Budget, Open::NotLegal, Open::LineFails, Open::Unanswered];

    /// The word used in messages and journals.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Open::Budget => "budget",
            Open::NotLegal => "not-legal",
            Open::LineFails => "line-fails",
            Open::Unanswered => "unanswered",
        }
    }
}

/// An answer with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The proof, which gives the verdict.
    pub proof: Proof,
    /// Nodes that the search of our own has visited.
    pub nodes: u64,
    /// The program and version that proved it, if not we ourselves.
    pub by: Option<String>,
}

impl Answer {
    /// The answer in a word.
    #[must_use]
    pub const fn verdict(&self) -> CanStillMate {
        match self.proof {
            Proof::Line(_) => CanStillMate::Yes,
            Proof::Never(_) => CanStillMate::No,
            Proof::Open(_) => CanStillMate::NotProven,
        }
    }

    /// Not proven.
    #[must_use]
    pub const fn open(why: Open, nodes: u64) -> Self {
        Answer { proof: Proof::Open(why), nodes, by: None }
    }

    pub(super) fn line(line: Vec<String>, nodes: u64, by: Option<&str>) -> Self {
        Answer { proof: Proof::Line(line), nodes, by: by.map(str::to_owned) }
    }

    pub(super) fn never(why: Impossible, nodes: u64) -> Self {
        let by = matches!(why, Impossible::Solver).then(|| SOLVER.to_owned());
        Answer { proof: Proof::Never(why), nodes, by }
    }
}
