//! Which bits of a packed state transitions, rules and checks touch.

use super::door;
use crate::model::Place;
use crate::state::{Layout, Shape};
use std::ops::Range;

/// What is known of a model's code without running it. Whatever is not known is `None`.
#[derive(Clone, Debug, Default)]
pub struct Footprints {
    /// For each transition, what firing it touches: what it does is a function of those bits.
    pub firing: Option<Vec<Footprint>>,
    /// The same, and what its rule looks at.
    pub rules: Option<Vec<Footprint>>,
    /// For each check, the bits of a packed state at which it looks.
    pub checks: Vec<Option<Vec<u64>>>,
    /// About half of the bits of a state, such that those that change together are likely to
    /// be on the same side. Any mask is right; with a good one, a state of several words
    /// takes less memory.
    pub first_half: Option<Vec<u64>>,
}

/// What is known of a model's transitions without firing them.
#[derive(Clone, Copy)]
pub struct Known {
    /// [`Model::choice`](crate::model::Model::choice).
    pub choice: fn(usize) -> Option<(Place, usize)>,
    /// [`Model::touches`](crate::model::Model::touches).
    pub touches: fn(usize, usize, bool, &mut dyn FnMut(Place)) -> bool,
}

/// What a transition touches, or some transitions do, as bits of a packed state.
#[derive(Clone, Debug)]
pub struct Footprint {
    /// The word of the variable by which it chooses.
    pub word: u32,
    /// Its lowest bit there.
    pub shift: u32,
    /// Its bits, from the lowest on. Without a variable there are none.
    pub mask: u64,
    /// For each value of the variable, what is touched.
    pub touched: Vec<Vec<u64>>,
}

impl Footprint {
    /// What each of `n` transitions touches, and what its rule looks at if that is
    /// asked for, if all of that is known.
    pub fn of_all(
        shape: &Shape,
        layout: &Layout,
        n: usize,
        known: Known,
        with_rules: bool,
    ) -> Option<Vec<Self>> {
        let lanes = FieldLanes::new(shape, layout).filter(|_| n > 0)?;
        (0..n).map(|transition| Footprint::new(&lanes, transition, known, with_rules)).collect()
    }

    /// The same bits whatever the state is.
    pub fn plain(touched: Vec<u64>) -> Self {
        Footprint { word: 0, shift: 0, mask: 0, touched: vec![touched] }
    }

    fn new(lanes: &FieldLanes, transition: usize, known: Known, with_rules: bool) -> Option<Self> {
        let choice = door::attempt(|| (known.choice)(transition))?;
        let (n_values, (start, n_bits)) = match choice {
            Some((place, n_values)) => (n_values, lanes.scalar(place)?),
            None => (1, (0, 0)),
        };
        // Without bits there is no word that is certain to exist.
        let (word, shift) = if n_bits == 0 { (0, 0) } else { (start / 64, start % 64) };
        let mask = if n_bits == 0 { 0 } else { u64::MAX >> (64 - n_bits) };
        let touched: Option<Vec<Vec<u64>>> = (0..n_values)
            .map(|value| lanes.mask_of(|mark| (known.touches)(transition, value, with_rules, mark)))
            .collect();
        let is_in_one_word = shift + n_bits <= 64;
        is_in_one_word.then_some(Footprint { word, shift, mask, touched: touched? })
    }

    /// What is ever touched, the variable by which the transition chooses included.
    pub fn all(&self) -> Vec<u64> {
        let mut all = vec![0; self.touched.first().map_or(0, Vec::len)];
        for touched in &self.touched {
            all.iter_mut().zip(touched).for_each(|(all, touched)| *all |= touched);
        }
        if let Some(word) = all.get_mut(self.word as usize) {
            *word |= self.mask << self.shift;
        }
        all
    }

    /// What is touched in a state.
    pub fn touched_in(&self, state: &[u64]) -> &[u64] {
        &self.touched[(state[self.word as usize] >> self.shift & self.mask) as usize]
    }

    /// Of bits that are touched, those by which firings are told apart: not the
    /// variable by which the transition chooses.
    pub fn told(&self, touched: &[u64]) -> Vec<u64> {
        let mut told = touched.to_vec();
        told[self.word as usize] &= !(self.mask << self.shift);
        told
    }

    /// What these transitions or those touch, where the former choose.
    pub fn joined(&self, other: &Footprint) -> Footprint {
        let choice = |masks: &Footprint| (masks.word, masks.shift, masks.mask, masks.touched.len());
        let by_same = choice(self) == choice(other);
        let join = |(value, touched): (usize, &Vec<u64>)| {
            let mut joined = touched.clone();
            let others = if by_same { &other.touched[value..=value] } else { &other.touched };
            for others in others {
                joined.iter_mut().zip(others).for_each(|(word, bits)| *word |= bits);
            }
            joined[other.word as usize] |= other.mask << other.shift;
            joined
        };
        Footprint { touched: self.touched.iter().enumerate().map(join).collect(), ..*self }
    }

    /// How many bits tell firings apart where the choice has this value.
    pub fn n_told(&self, value: usize) -> u32 {
        self.told(&self.touched[value]).iter().map(|word| word.count_ones()).sum()
    }

    /// The most bits that are touched.
    pub fn n_bits(&self) -> u32 {
        let n_bits = |mask: &Vec<u64>| mask.iter().map(|word| word.count_ones()).sum();
        self.touched.iter().map(n_bits).max().unwrap_or(0)
    }
}

/// Which bits of a packed state belong to which field.
pub struct FieldLanes {
    /// For each lane, its first bit and how many there are.
    bits: Vec<(u32, u32)>,
    /// For each field, its first lane and how many it has, and its elements.
    fields: Vec<(usize, usize, usize)>,
    n_words: usize,
}

impl FieldLanes {
    /// If the shape is that of a state, with the lanes of this layout.
    pub fn new(shape: &Shape, layout: &Layout) -> Option<FieldLanes> {
        let Shape::Record(record) = shape else { return None };
        let (mut bits, mut at) = (Vec::new(), 0);
        for lane in layout.lanes() {
            bits.push((at, lane.bits()));
            at += lane.bits();
        }
        let mut first = 0;
        let fields = record.iter().map(|(_, shape)| {
            let (n_elements, n_lanes) = (shape.n_elements(), shape.n_lanes());
            first += n_lanes;
            (first - n_lanes, n_lanes, n_elements)
        });
        let fields = fields.collect();
        (first == bits.len()).then_some(FieldLanes { bits, fields, n_words: layout.words() })
    }

    /// The lanes of a place, if there is such a place.
    pub fn lanes(&self, (field, element): Place) -> Option<Range<usize>> {
        let &(first, n_lanes, n_elements) = self.fields.get(field)?;
        match element {
            None => Some(first..first + n_lanes),
            Some(i) => (i < n_elements).then(|| {
                let n = n_lanes / n_elements;
                first + i * n..first + (i + 1) * n
            }),
        }
    }

    /// The first bit of a place that is a single lane, and how many bits it has.
    fn scalar(&self, place: Place) -> Option<(u32, u32)> {
        match self.lanes(place)? {
            lanes if lanes.len() == 1 => Some(self.bits[lanes.start]),
            _ => None,
        }
    }

    /// The bits of the places that are told, if all are known.
    pub fn mask_of(&self, tell: impl Fn(&mut dyn FnMut(Place)) -> bool) -> Option<Vec<u64>> {
        let mut mask = vec![0; self.n_words];
        let mut is_known = true;
        let mut mark = |place: Place| {
            let lanes = self.lanes(place);
            is_known &= lanes.is_some();
            for &(start, n_bits) in &self.bits[lanes.unwrap_or_default()] {
                (start..start + n_bits).for_each(|bit| mask[bit as usize / 64] |= 1 << (bit % 64));
            }
        };
        let asked = door::attempt(|| tell(&mut mark));
        (asked.unwrap_or(false) && is_known).then_some(mask)
    }
}
