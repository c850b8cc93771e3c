//! Searching a run, forwards and backwards.
//!
//! Backwards, the run is repeated one stretch between checkpoints at a time, the latest first, and the last find
//! counts, or the requested number of last finds. A stretch is skipped if none of the instructions that matter has run
//! there, or if the scout finds nothing in it.

use crate::error::{DebugError, check_interrupt};
use crate::history::History;
use crate::instructions::InstructionSet;
use crate::position::Position;
use crate::scout::Scout;
use crate::target::{Match, Search};
use crate::trigger::{Direction, Resolution};
use gray1_machine::Engine;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A long stretch is searched in pieces of this many checkpoint intervals of a short run, the last piece first.
const PIECE: u64 = 4;

/// While the run is repeated, finds that are closer together than this share a snapshot, since taking one costs as much
/// as running a few hundred cycles.
const SNAPSHOT_DISTANCE: u64 = 1024;

/// A backward search returns at most this many finds.
const MAX_FINDS: usize = 1 << 16;

impl History {
    /// Searches from the current position to `end` for the next find. Afterwards the machine is there; if there is
    /// none, where the search has ended.
    pub(crate) fn search_forward(
        &mut self,
        mut search: Search,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        search.start(Some(self.machine()));
        let resolution = search.resolution();
        self.continue_search(&mut search, &resolution, end, interrupt)
    }

    /// Searches backwards for the last finds before the end of `within`, back to the start of the stretch in which
    /// `within` begins, until there are `count` of them or one that a breakpoint has hit. Returns them, the last first.
    /// There may be fewer although there are more in the run, but none only if there is none. Afterwards the machine is
    /// at the last find or before it; if there is none, where the search has ended.
    pub(crate) fn search_backward(
        &mut self,
        mut search: Search,
        within: Range<Position>,
        count: u64,
        interrupt: &AtomicBool,
    ) -> Result<Vec<Match>, DebugError> {
        let (resolution, search) = (search.resolution(), &mut search);
        let most = usize::try_from(count).unwrap_or(MAX_FINDS).min(MAX_FINDS);
        let mut finds = Vec::new();
        let before = within.end;
        let places = search.places(Direction::Backward);
        let places_on_board = places.as_deref().filter(|_| self.is_board_known());
        let mut scout = places_on_board.map(|set| Scout::new(search.image(), set));
        let mut end = before;
        for index in (0..self.checkpoints().take_while(|start| *start < before).count()).rev() {
            check_interrupt(interrupt)?;
            if end < before && end <= within.start {
                self.rewind(index + 1);
                return Ok(finds);
            }
            self.rewind(index);
            let start = self.position();
            let last = std::mem::replace(&mut end, start);
            // The cycle that contains a mid-cycle position is searched too.
            let last_cycle = last.cycle + u64::from(last.phase > 0);
            // An edit can make a condition true or false where no instruction of the set runs.
            let is_edited = self.timeline.is_edited(start.cycle, last_cycle);
            let is_quiet = places.as_ref().is_some_and(|places| !self.checkpoints.ran(index).meets(places));
            if is_quiet && !is_edited && !search.may_find(self.machine()) {
                continue;
            }
            if let Some(scout) = scout.as_mut().filter(|_| !is_edited) {
                let state = self.machine().state();
                if !scout.may_find(search, &state, &self.timeline, last_cycle, interrupt)? {
                    continue;
                }
            }
            // `before` may be a phase after the end of the known run, which must not be extended.
            let mut piece_end = if last == before { before.before_phases(1) } else { last };
            loop {
                let piece = self.piece_before(start, piece_end);
                if piece < self.position() {
                    self.rewind(index);
                }
                self.pass(piece.cycle, interrupt)?;
                let wanted = most - finds.len();
                finds.extend(self.last_in(search, &resolution, piece_end..before, wanted, interrupt)?);
                if finds.len() == most || finds.iter().any(|found| !found.hits.is_empty()) {
                    return Ok(finds);
                }
                if piece == start {
                    break;
                }
                piece_end = piece;
            }
        }
        self.rewind(0);
        Ok(finds)
    }

    /// The start of the piece of a stretch that ends at `end`: its last few thousand cycles if the scout can run ahead
    /// to there, otherwise all of it.
    fn piece_before(&mut self, start: Position, end: Position) -> Position {
        let piece = Position::start_of(end.cycle.saturating_sub(PIECE * self.first_spacing));
        if self.is_scouted() { piece.max(start) } else { start }
    }

    /// Searches from the current position for the last finds, of which this many are wanted, up to the end of a piece
    /// and before a position. Returns them, the last first. If there is one, the machine is a little before it
    /// afterwards.
    fn last_in(
        &mut self,
        search: &mut Search,
        resolution: &Resolution,
        Range { start: end, end: before }: Range<Position>,
        wanted: usize,
        interrupt: &AtomicBool,
    ) -> Result<impl Iterator<Item = Match> + use<>, DebugError> {
        // The first position of a piece belongs to the piece before it, except at the beginning of the run.
        let mut finds = VecDeque::new();
        if self.position() == self.start() {
            search.start(None);
            finds.extend(search.check(self.machine())?);
        } else {
            search.start(Some(self.machine()));
        }
        let mut snapshot = self.checkpoint();
        let mut snapshot_cycle = self.position().cycle;
        while let Some(next) = self.continue_search(search, resolution, end, interrupt)?
            && next.position < before
        {
            if next.position.cycle >= snapshot_cycle + SNAPSHOT_DISTANCE {
                (snapshot, snapshot_cycle) = (self.checkpoint(), next.position.cycle);
            }
            if finds.len() == wanted {
                finds.pop_front();
            }
            finds.push_back(next);
        }
        if !finds.is_empty() {
            self.restore(&snapshot);
        }
        Ok(finds.into_iter().rev())
    }

    /// Runs until something is found after the current position.
    fn continue_search(
        &mut self,
        search: &mut Search,
        resolution: &Resolution,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        match resolution {
            Resolution::Phases => {
                while self.position() < end && !self.is_halted() {
                    let is_slice = self.position().cycle.is_multiple_of(1024);
                    if is_slice {
                        check_interrupt(interrupt)?;
                    }
                    self.phase()?;
                    if let Some(found) = search.check(self.machine())? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            Resolution::Cycles => self.search_cycles(search, None, end, interrupt),
            Resolution::Instructions(set) => self.search_cycles(search, Some(set), end, interrupt),
        }
    }

    /// Examines the starts of cycles (of all, or only with certain instructions), and the phase after one if the
    /// search needs it. Distant finds are approached by running ahead.
    fn search_cycles(
        &mut self,
        search: &mut Search,
        instructions: Option<&InstructionSet>,
        end: Position,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        // Without a scout, the chips may still use partial evaluation where there is nothing to look for.
        let mut runs_ahead = self.is_scouted() || instructions == Some(&InstructionSet::NONE);
        let mut places = None;
        while self.position() < end && !self.is_halted() {
            if self.position().phase == 0 && search.needs_next_phase() {
                self.phase()?;
                if let Some(found) = search.check(self.machine())? {
                    return Ok(Some(found));
                }
                continue;
            }
            if self.position().cycle == end.cycle {
                break;
            }
            let near = self.position().cycle.saturating_add(self.nearby());
            let is_far = runs_ahead && near < end.cycle;
            let near = if is_far { near } else { end.cycle };
            let mut found = self.examine(search, instructions, near, interrupt)?;
            if is_far && found.is_none() && !search.needs_next_phase() && !self.is_halted() {
                match places.get_or_insert_with(|| search.places(Direction::Forward)) {
                    Some(places) => found = self.run_to_find(search, places, end.cycle, interrupt)?,
                    None => runs_ahead = false,
                }
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Lets the chips run to the start of a cycle, or to where the search finds something or needs the next phase.
    fn examine(
        &mut self,
        search: &mut Search,
        instructions: Option<&InstructionSet>,
        to: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        let mut result = Ok(None);
        self.run(to, interrupt, |machine| {
            if instructions.is_some_and(|set| !set.has(machine.running())) {
                return false;
            }
            result = search.check(machine);
            !matches!(result, Ok(None)) || search.needs_next_phase()
        })?;
        result
    }

    /// Runs ahead to where the search may find something, and lets it examine the machine there.
    fn run_to_find(
        &mut self,
        search: &mut Search,
        places: &InstructionSet,
        to: u64,
        interrupt: &AtomicBool,
    ) -> Result<Option<Match>, DebugError> {
        match self.run_past(places, to, interrupt, |there| search.may_find(there))? {
            true => search.check(self.machine()),
            false => Ok(None),
        }
    }
}
