//! Finds tracks on two layers. Each net takes the cheapest way; places that several nets use become more expensive from
//! round to round, and nets that share one are ripped up and routed again (negotiated congestion, as in PathFinder).
//! Once nothing is shared, each net takes a cheaper way through what the others leave free, as long as there is one.
//!
//! All costs are whole numbers and ties are decided by place, so the same board is always routed in the same way.

use crate::grid::{FREE, Grid};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The way of a net: steps from node to node on a layer, and vias.
#[derive(Clone, Debug, Default)]
pub struct Route {
    pub steps: Vec<(usize, usize, usize)>,
    pub vias: Vec<usize>,
}

/// The costs of a step in the preferred direction of its layer, of one across it, and of a via.
const ALONG: u32 = 10;
const AGAINST: u32 = 14;
const VIA: u32 = 400;
/// Maximum number of rounds.
const ROUNDS: usize = 400;
/// Maximum number of pads from which a net is begun to find its cheapest way.
const BEGINNINGS: usize = 8;

/// The places that nets use, and the costs of places.
struct Congestion<'a> {
    grid: &'a Grid,
    /// The number of nets that use each node of each layer.
    used: Vec<u16>,
    history: Vec<u32>,
    /// The number of vias at each node or beside it.
    vias: Vec<u16>,
    via_history: Vec<u32>,
    /// The factor for the cost of occupied places, in tenths.
    pressure: u32,
    /// Whether no place is shared any more, and none may be.
    is_settled: bool,
    cost: Vec<u32>,
    from: Vec<u32>,
    /// The number of the last search that reached each node.
    reached: Vec<u32>,
    search: u32,
}

/// Routes all nets; fails with the number of places that several nets still share at the end.
pub fn route(grid: &Grid, report: &mut dyn FnMut(usize, usize)) -> Result<Vec<Route>, usize> {
    let nodes = grid.width * grid.height;
    let mut congestion = Congestion {
        grid,
        used: vec![0; 2 * nodes],
        history: vec![0; 2 * nodes],
        vias: vec![0; nodes],
        via_history: vec![0; nodes],
        pressure: 5,
        is_settled: false,
        cost: vec![0; 2 * nodes],
        from: vec![0; 2 * nodes],
        reached: vec![0; 2 * nodes],
        search: 0,
    };
    let mut routes: Vec<Option<Route>> = vec![None; grid.nets.len()];
    let mut shared = 0;
    for round in 0..ROUNDS {
        for (net, slot) in routes.iter_mut().enumerate() {
            let is_good = slot.as_ref().is_some_and(|route| !congestion.is_shared(route));
            if is_good {
                continue;
            }
            if let Some(route) = slot.take() {
                congestion.claim(&route, false);
            }
            let route = congestion.connect(net, 0);
            let route = route.ok_or(usize::MAX)?;
            congestion.claim(&route, true);
            *slot = Some(route);
        }
        shared = congestion.charge(&routes);
        report(round, shared);
        if shared == 0 {
            let mut routes: Vec<Route> = routes.into_iter().flatten().collect();
            congestion.is_settled = true;
            while congestion.shorten(&mut routes) {}
            return Ok(routes);
        }
        congestion.pressure = (congestion.pressure * 13 / 10 + 1).min(4_000);
    }
    Err(shared)
}

impl Congestion<'_> {
    fn nodes(&self) -> usize {
        self.grid.width * self.grid.height
    }

    /// Occupies the places of a route, or releases them.
    fn claim(&mut self, route: &Route, takes: bool) {
        let change = |count: &mut u16| *count = if takes { *count + 1 } else { *count - 1 };
        for place in self.places(route) {
            change(&mut self.used[place]);
        }
        for &via in &route.vias {
            for near in self.around(via) {
                change(&mut self.vias[near]);
            }
        }
    }

    /// The places that a route uses, each once.
    fn places(&self, route: &Route) -> Vec<usize> {
        let nodes = self.nodes();
        let steps =
            route.steps.iter().flat_map(|&(layer, from, to)| [layer * nodes + from, layer * nodes + to]);
        let vias = route.vias.iter().flat_map(|&via| [via, nodes + via]);
        let mut places: Vec<usize> = steps.chain(vias).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// A node and those beside it. Vias are never at the edge.
    fn around(&self, node: usize) -> [usize; 9] {
        let width = self.grid.width;
        std::array::from_fn(|index| node + index / 3 * width + index % 3 - width - 1)
    }

    fn is_shared(&self, route: &Route) -> bool {
        self.places(route).into_iter().any(|place| self.used[place] > 1)
            || route.vias.iter().any(|&via| self.vias[via] > 1)
    }

    /// Raises the cost of shared places; returns their number.
    fn charge(&mut self, routes: &[Option<Route>]) -> usize {
        let mut shared = 0;
        for (used, history) in self.used.iter().zip(&mut self.history) {
            if *used > 1 {
                *history += u32::from(*used - 1) * ALONG;
                shared += 1;
            }
        }
        for &via in routes.iter().flatten().flat_map(|route| &route.vias) {
            if self.vias[via] > 1 {
                self.via_history[via] += ALONG;
                shared += 1;
            }
        }
        shared
    }

    /// Lets each net take a cheaper way, if there is one. Returns whether any was found.
    fn shorten(&mut self, routes: &mut [Route]) -> bool {
        let mut is_better = false;
        for (net, route) in routes.iter_mut().enumerate() {
            self.claim(route, false);
            for beginning in 0..self.grid.nets[net].len().min(BEGINNINGS) {
                if let Some(other) = self.connect(net, beginning)
                    && self.price(&other) < self.price(route)
                {
                    (*route, is_better) = (other, true);
                }
            }
            self.claim(route, true);
        }
        is_better
    }

    /// The costs of a route where there are no others.
    fn price(&self, route: &Route) -> u32 {
        let nodes = self.nodes();
        let mut steps: Vec<(usize, usize)> = (route.steps.iter())
            .map(|&(layer, from, to)| (layer * nodes + from.min(to), from.abs_diff(to)))
            .collect();
        steps.sort_unstable();
        steps.dedup();
        let step = |&(place, length): &(usize, usize)| {
            if (length == 1) == (place < nodes) { ALONG } else { AGAINST }
        };
        steps.iter().map(step).sum::<u32>() + VIA * route.vias.len() as u32
    }

    /// Connects the pads of a net, beginning with this one, each time the one nearest to those already connected.
    fn connect(&mut self, net: usize, beginning: usize) -> Option<Route> {
        let (nodes, width) = (self.nodes(), self.grid.width);
        let mut left = self.grid.nets[net].clone();
        let mut tree: Vec<usize> = Vec::new();
        let mut route = Route::default();
        let start = left.remove(beginning);
        tree.extend([start, nodes + start]);
        let mut joined = vec![start];
        while !left.is_empty() {
            let distance =
                |a: usize, b: usize| (a % width).abs_diff(b % width) + (a / width).abs_diff(b / width);
            let nearest = |pad: &usize| joined.iter().map(|other| distance(*pad, *other)).min();
            let index = (0..left.len()).min_by_key(|&index| (nearest(&left[index]), left[index]))?;
            let goal = left.remove(index);
            let end = self.search(net, &tree, goal)?;
            let mut place = end;
            while self.from[place] as usize != place {
                let before = self.from[place] as usize;
                if place % nodes == before % nodes {
                    if !self.grid.nets[net].contains(&(place % nodes)) {
                        route.vias.push(place % nodes);
                        // Vias of the same net also keep their distance.
                        for near in self.around(place % nodes) {
                            self.vias[near] += 1;
                        }
                    }
                } else {
                    route.steps.push((place / nodes, before % nodes, place % nodes));
                }
                tree.push(place);
                place = before;
            }
            tree.extend([goal, nodes + goal]);
            joined.push(goal);
            for &(_, from, to) in &route.steps[route.steps.len().saturating_sub(1)..] {
                joined.extend([from, to]);
            }
        }
        for via in route.vias.clone() {
            for near in self.around(via) {
                self.vias[near] -= 1;
            }
        }
        Some(route)
    }

    /// Finds the cheapest way from the connected part of the net to a pad. It can be followed backwards in `from`.
    fn search(&mut self, net: usize, tree: &[usize], goal: usize) -> Option<usize> {
        let (nodes, width) = (self.nodes(), self.grid.width);
        self.search += 1;
        let rest = |place: usize| {
            let node = place % nodes;
            ((node % width).abs_diff(goal % width) + (node / width).abs_diff(goal / width)) as u32 * ALONG
        };
        let mut open = BinaryHeap::new();
        for &place in tree {
            if self.reached[place] != self.search {
                self.reached[place] = self.search;
                (self.cost[place], self.from[place]) = (0, place as u32);
                open.push(Reverse((rest(place), 0, place as u32)));
            }
        }
        while let Some(Reverse((_, cost, place))) = open.pop() {
            let place = place as usize;
            if cost > self.cost[place] {
                continue;
            }
            if place % nodes == goal {
                return Some(place);
            }
            for (next, step) in self.neighbours(net, place).into_iter().flatten() {
                let owner = self.grid.owner[next % nodes];
                if owner != FREE && owner != net as i32 {
                    continue;
                }
                let taken = u32::from(self.used[next]);
                if self.is_settled && taken > 0 {
                    continue;
                }
                let history = if self.is_settled { 0 } else { self.history[next] };
                let step = step + history + (step + history) * taken * self.pressure / 10;
                let cost = cost + step;
                if self.reached[next] != self.search || cost < self.cost[next] {
                    self.reached[next] = self.search;
                    (self.cost[next], self.from[next]) = (cost, place as u32);
                    open.push(Reverse((cost + rest(next), cost, next as u32)));
                }
            }
        }
        None
    }

    /// The places next to a place, on its layer and through a via, with the cost of each step.
    fn neighbours(&self, net: usize, place: usize) -> [Option<(usize, u32)>; 5] {
        let (nodes, width) = (self.nodes(), self.grid.width);
        let (layer, node) = (place / nodes, place % nodes);
        let (x, y) = (node % width, node / width);
        let [across, down] = [[ALONG, AGAINST][layer], [AGAINST, ALONG][layer]];
        let other = (1 - layer) * nodes + node;
        let is_pad = self.grid.owner[node] == net as i32 && self.grid.nets[net].contains(&node);
        let near = u32::from(self.vias[node]);
        let via = match self.is_settled {
            _ if is_pad => Some(1),
            _ if !self.grid.takes_via[node] => None,
            false => Some(VIA + VIA * near * self.pressure / 10 + self.via_history[node]),
            true => (near == 0).then_some(VIA),
        };
        [
            (x + 1 < width).then_some((place + 1, across)),
            (x > 0).then(|| (place - 1, across)),
            (y + 1 < self.grid.height).then_some((place + width, down)),
            (y > 0).then(|| (place - width, down)),
            via.map(|cost| (other, cost)),
        ]
    }
}
