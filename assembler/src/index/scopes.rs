//! The scopes and regions of the text, by position.

use crate::names::Name;
use hashbrown::HashMap;
use std::iter;

/// The scope, of parameters and counters, and the region, of local labels, at a position. The default is outside all
/// blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Visibility {
    pub scope: u32,
    pub region: u32,
}

#[derive(Debug)]
pub(super) struct Scopes {
    scopes: Vec<Scope>,
    regions: Vec<Region>,
    places: Vec<Place>,
}

/// The parameters or counters of a block.
#[derive(Debug, Default)]
struct Scope {
    parent: u32,
    bindings: Vec<(Name, u32)>,
}

/// A section of the text, to which local labels are private.
#[derive(Debug, Default)]
pub(super) struct Region {
    outer: Option<u32>,
    pub labels: HashMap<Name, u32>,
}

/// A position in a file, and the scope and region from there on.
#[derive(Clone, Copy, Debug)]
struct Place {
    file: u32,
    start: u32,
    at: Visibility,
}

impl Default for Scopes {
    fn default() -> Scopes {
        Scopes { scopes: vec![Scope::default()], regions: vec![Region::default()], places: Vec::new() }
    }
}

impl Scopes {
    pub fn open_scope(&mut self, parent: u32) -> u32 {
        self.scopes.push(Scope { parent, bindings: Vec::new() });
        self.scopes.len() as u32 - 1
    }

    pub fn open_region(&mut self, outer: Option<u32>) -> u32 {
        self.regions.push(Region { outer, labels: HashMap::new() });
        self.regions.len() as u32 - 1
    }

    pub fn bind(&mut self, scope: u32, name: Name, item: u32) {
        self.scopes[scope as usize].bindings.push((name, item));
    }

    pub fn region(&mut self, region: u32) -> &mut Region {
        &mut self.regions[region as usize]
    }

    /// Records the scope and region from this offset on.
    pub fn mark(&mut self, file: u32, start: u32, at: Visibility) {
        self.places.push(Place { file, start, at });
    }

    /// Sorts the records.
    pub fn finish(&mut self) {
        self.places.sort_by_key(|place| (place.file, place.start));
    }

    /// The scope and region at an offset.
    pub fn at(&self, file: u32, offset: u32) -> Visibility {
        let after = self.places.partition_point(|place| (place.file, place.start) <= (file, offset));
        let last = self.places[..after].last().filter(|place| place.file == file);
        last.map_or(Visibility::default(), |place| place.at)
    }

    /// The bindings that are visible in a scope, the innermost first.
    pub fn bindings(&self, scope: u32) -> impl Iterator<Item = (Name, u32)> {
        let outwards = |&scope: &u32| Some(self.scopes[scope as usize].parent);
        let scopes = iter::successors(Some(scope), outwards).take_while(|&scope| scope != 0);
        scopes.flat_map(|scope| self.scopes[scope as usize].bindings.iter().copied())
    }

    /// The regions in which local labels are looked up, the innermost first.
    pub fn regions(&self, region: u32) -> impl Iterator<Item = &Region> {
        let innermost = &self.regions[region as usize];
        iter::successors(Some(innermost), |region| Some(&self.regions[region.outer? as usize]))
    }
}
