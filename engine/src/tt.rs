//! The transposition table: what earlier searches found out about positions.
//!
//! Sixteen bytes a position, four positions a bucket of one cache line. A slot holds the data and
//! the data XORed with the low 48 bits of the key, so a slot that two threads wrote at once reads as
//! empty (Hyatt and Mann, "A lock-less transposition table implementation", ICGA Journal 25(1),
//! 2002); the static evaluation beside the check is not guarded, a wrong one does little harm. May
//! import the score, the move, the depth and the hints to the machine, nothing else of the engine;
//! never prints, never reads a clock or a global.

use crate::depth::Depth;
use crate::memory::{prefer_huge_pages, prefetch};
use crate::score::Score;
use crate::types::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// What a stored score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is at least this (the search failed high).
    Lower,
    /// The score is at most this (the search failed low).
    Upper,
    /// The score is this.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Best move, if one was found; not checked for legality.
    pub mv: Option<Move>,
    /// Score, with mates counted from the root of the search that probes.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Depth to which the position was searched.
    pub depth: Depth,
    /// Static evaluation in centipawns, if the side to move was not in check.
    pub eval: Option<i16>,
    /// Whether the position has been on the principal variation.
    pub principal: bool,
}

impl Entry {
    /// Whether the score settles a search with the window (`alpha`, `beta`).
    #[inline]
    pub fn settles(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Whether the score says more about the position than this static evaluation does.
    #[inline]
    pub fn refines(&self, eval: Score) -> bool {
        !self.score.is_decided()
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.score > eval,
                Bound::Upper => self.score < eval,
            }
    }
}

/// Why a table of the wanted size can't be had, or threads beside it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", describe(*.megabytes, *.threads, *.free))]
pub struct TableError {
    /// The wanted size.
    pub megabytes: usize,
    /// The wanted threads, if room for them was asked for too.
    pub threads: usize,
    /// Megabytes of free memory, if that was known to be less.
    pub free: Option<usize>,
}

fn describe(megabytes: usize, threads: usize, free: Option<usize>) -> String {
    let and_threads = match threads {
        0 => String::new(),
        1 => " and a thread".to_string(),
        threads => format!(" and {threads} threads"),
    };
    match free {
        Some(free) => {
            format!(
                "{megabytes} MB of hash{and_threads} are more than the {free} MB of free memory"
            )
        }
        None => format!("there is no memory for a hash table of {megabytes} MB{and_threads}"),
    }
}

/// One stored position. Layout of `data`, low bits first: score 21 (offset by 2^20), depth 10,
/// bound 2 (0 = empty), age 6, move 15, principal 1, unused 9. The high 16 bits of `check` are the
/// static evaluation; the low 48 are those of the key XORed with the data. The bucket is found by
/// the key's high bits, so that nearly all of the key is compared.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

const SCORE_BITS: u32 = 21;
const SCORE_OFFSET: i32 = 1 << 20;
const DEPTH_SHIFT: u32 = SCORE_BITS;
const DEPTH_MASK: u64 = (1 << 10) - 1;
const BOUND_SHIFT: u32 = DEPTH_SHIFT + 10;
const AGE_SHIFT: u32 = BOUND_SHIFT + 2;
const AGE_MASK: u64 = 63;
const MOVE_SHIFT: u32 = AGE_SHIFT + 6;
const PRINCIPAL_SHIFT: u32 = MOVE_SHIFT + 15;
const NO_MOVE: u16 = 0;

const BUCKET: usize = 4;

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

/// The table.
pub struct Table {
    buckets: Vec<Bucket>,
    age: u64,
}

fn pack(entry: &Entry, ply: usize, age: u64) -> u64 {
    let score = (entry.score.to_table(ply) + SCORE_OFFSET) as u64;
    let depth = (entry.depth.to_quarters().max(0) as u64).min(DEPTH_MASK);
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    let mv = u64::from(entry.mv.map_or(NO_MOVE, Move::to_bits));
    score
        | depth << DEPTH_SHIFT
        | bound << BOUND_SHIFT
        | (age & AGE_MASK) << AGE_SHIFT
        | mv << MOVE_SHIFT
        | u64::from(entry.principal) << PRINCIPAL_SHIFT
}

const CHECK_MASK: u64 = (1 << 48) - 1;
const NO_EVAL: i16 = i16::MIN;

/// The part of the check word that comes from the key.
#[inline]
fn key_check(key: u64, data: u64) -> u64 {
    (key ^ data) & CHECK_MASK
}

fn unpack(data: u64, check: u64, ply: usize) -> Option<Entry> {
    let bound = match data >> BOUND_SHIFT & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    let value = (data & ((1 << SCORE_BITS) - 1)) as i32 - SCORE_OFFSET;
    let mv = (data >> MOVE_SHIFT) as u16 & 0x7fff;
    let eval = (check >> 48) as i16;
    Some(Entry {
        mv: (mv != NO_MOVE).then(|| Move::from_bits(mv)),
        score: Score::from_table(value, ply),
        bound,
        depth: Depth::quarters((data >> DEPTH_SHIFT & DEPTH_MASK) as i32),
        eval: (eval != NO_EVAL).then_some(eval),
        principal: data >> PRINCIPAL_SHIFT & 1 != 0,
    })
}

fn age_of(data: u64) -> u64 {
    data >> AGE_SHIFT & AGE_MASK
}

impl Table {
    /// A table of that many megabytes, at least one bucket.
    ///
    /// # Errors
    /// If the memory can't be had.
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let error = TableError {
            megabytes,
            threads: 0,
            free: None,
        };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error.clone())?;
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| error)?;
        prefer_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        Ok(Table { buckets, age: 0 })
    }

    /// Its size in megabytes, rounded.
    pub fn megabytes(&self) -> usize {
        (size_of_val(&self.buckets[..]) + (1 << 19)) >> 20
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.age = 0;
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
    }

    /// Tells the table that a new search begins: older entries become the first to be replaced.
    pub fn new_search(&mut self) {
        self.age = (self.age + 1) & AGE_MASK;
    }

    /// The bucket of a key, by the multiplication that needs no power of two
    /// (<https://lemire.me/blog/2016/06/27/a-fast-alternative-to-the-modulo-reduction/>).
    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; BUCKET] {
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        &self.buckets[index].0
    }

    /// Begins to fetch what is known about a position that is going to be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about a position; `ply` is its distance from the root.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.bucket(key) {
            let (data, check) = (slot.data.load(Relaxed), slot.check.load(Relaxed));
            if check & CHECK_MASK == key_check(key, data) && data != 0 {
                return unpack(data, check, ply);
            }
        }
        None
    }

    /// Remembers an entry. It takes the place of the same position, else of the slot that is worth
    /// least: shallow and from an old search.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let mut victim = &self.bucket(key)[0];
        let mut least = i64::MAX;
        for slot in self.bucket(key) {
            let (data, check) = (slot.data.load(Relaxed), slot.check.load(Relaxed));
            if check & CHECK_MASK == key_check(key, data) && data != 0 {
                if let Some(old) = unpack(data, check, ply) {
                    // A search that failed low has no best move: the older one is still the best
                    // guess.
                    entry.mv = entry.mv.or(old.mv);
                    let is_recent = age_of(data) == self.age;
                    let much_deeper = old.depth.to_quarters() > entry.depth.to_quarters() + 12;
                    if entry.bound != Bound::Exact && is_recent && much_deeper {
                        return;
                    }
                }
                victim = slot;
                break;
            }
            let worth = if data == 0 {
                i64::MIN
            } else {
                let generations = (self.age.wrapping_sub(age_of(data)) & AGE_MASK) as i64;
                (data >> DEPTH_SHIFT & DEPTH_MASK) as i64 - AGE_WORTH * generations
            };
            if worth < least {
                least = worth;
                victim = slot;
            }
        }
        let data = pack(&entry, ply, self.age);
        victim.data.store(data, Relaxed);
        let eval = entry.eval.unwrap_or(NO_EVAL) as u16;
        let check = key_check(key, data) | u64::from(eval) << 48;
        victim.check.store(check, Relaxed);
    }

    /// How full the table is with entries of the current search, in permille, from a sample.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 250;
        let sample = &self.buckets[..self.buckets.len().min(SAMPLE)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0);
        let used = slots.filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && age_of(data) == self.age
        });
        (used.count() * 1000 / (sample.len() * BUCKET)) as u32
    }
}

/// Quarter plies of depth that one search's age outweighs.
const AGE_WORTH: i64 = 16;

/// A static evaluation as it fits into the table.
pub(crate) fn to_stored(eval: Score) -> i16 {
    eval.value().clamp(-32_000, 32_000) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn entry(score: Score, depth: i32) -> Entry {
        Entry {
            mv: Some(Move::new(Square::at(4, 1), Square::at(4, 3), None)),
            score,
            bound: Bound::Exact,
            depth: Depth::quarters(depth),
            eval: Some(-7),
            principal: depth % 2 != 0,
        }
    }

    #[test]
    fn entries_come_back() {
        let table = Table::new(1).unwrap();
        let scores = [
            Score::DRAW,
            Score::cp(-1234),
            Score::MAX_EVAL,
            Score::mate_in(9),
            Score::mated_in(4),
        ];
        for (key, score) in (1u64..).map(|n| n << 50 | n).zip(scores) {
            assert_eq!(table.probe(key, 3), None);
            table.store(key, 3, entry(score, 37));
            assert_eq!(table.probe(key, 3), Some(entry(score, 37)));
            assert_eq!(table.probe(key ^ 1, 3), None);
        }
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = Table::new(1).unwrap();
        table.store(7, 4, entry(Score::mate_in(9), 8));
        let found = table.probe(7, 2).unwrap();
        assert_eq!(found.score, Score::mate_in(7));
    }

    #[test]
    fn deep_and_recent_entries_stay() {
        let mut table = Table::new(1).unwrap();
        // Keys that differ in their low bits alone share a bucket.
        for n in 0..4 {
            table.store(n, 0, entry(Score::DRAW, 40 + n as i32));
        }
        table.store(9, 0, entry(Score::DRAW, 50));
        assert_eq!(table.probe(0, 0), None);
        assert!((1..4).all(|n| table.probe(n, 0).is_some()));
        for _ in 0..8 {
            table.new_search();
        }
        table.store(1, 0, entry(Score::DRAW, 1));
        table.store(10, 0, entry(Score::DRAW, 2));
        assert!(table.probe(1, 0).is_some() && table.probe(10, 0).is_some());
        assert_eq!(table.probe(2, 0), None);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 20).is_err());
    }
}
