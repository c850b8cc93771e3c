//! A tree, with its root in the middle and each level as a ring around it. Nodes that lead to a solution are in colour,
//! the rest in grey.

use crate::page::{Heading, MARGIN, PLAIN, Page, START, THIN, WIDTH, escaped};
use crate::palette::{AXIS, COLOURS, GRID, INK};
use std::f64::consts::TAU;
use std::fmt::Write;

/// The radius of the outermost ring.
const RADIUS: f64 = WIDTH / 2.0 - MARGIN - 8.0;

/// A tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The text above and below the chart.
    pub heading: Heading,
    /// The nodes. Each comes after its parent, and after all that is below the siblings before it.
    pub nodes: Vec<Branch>,
    /// What the kinds of nodes are called in the key, in the order of [`Kind`].
    pub names: [String; 5],
}

/// A node of a tree, and the line that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The index of its parent, which must be smaller than its own, or `None` for the root in the middle.
    pub parent: Option<usize>,
    /// How it is drawn.
    pub kind: Kind,
    /// The text shown when the mouse points to it.
    pub name: String,
}

/// How a node is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A solution.
    Goal,
    /// It leads to a solution.
    Way,
    /// It leads to no solution.
    Dead,
    /// It was given up at once.
    Cut,
    /// It is not known yet.
    Open,
}

const KINDS: [Kind; 5] = [Kind::Goal, Kind::Way, Kind::Dead, Kind::Cut, Kind::Open];

impl Kind {
    /// The colour and the width of the line, and the radius and the colour of the dot.
    fn look(self) -> (&'static str, f64, f64, &'static str) {
        match self {
            Kind::Goal => (COLOURS[0], 1.4, 3.6, COLOURS[1]),
            Kind::Way => (COLOURS[0], 1.4, 2.2, COLOURS[0]),
            Kind::Dead => (AXIS, 0.6, 1.4, AXIS),
            Kind::Cut => (GRID, 0.6, 0.9, AXIS),
            Kind::Open => (COLOURS[2], 1.4, 2.2, COLOURS[2]),
        }
    }
}

impl Tree {
    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let mut page = Page::new(&self.heading);
        self.key(&mut page);
        let centre = (WIDTH / 2.0, page.y + RADIUS + 8.0);
        let places = self.places();
        let rings = places.iter().map(|place| place.ring).max().unwrap_or(1);
        let distance = RADIUS / rings as f64;
        let at = |radius: f64, angle: f64| (centre.0 + radius * angle.sin(), centre.1 - radius * angle.cos());
        // Nodes that lead to a solution are drawn last, so that nothing covers them.
        for kind in KINDS.into_iter().rev() {
            let (line, width, size, dot) = kind.look();
            let of_kind = || self.nodes.iter().zip(&places).filter(|(node, _)| node.kind == kind);
            if of_kind().next().is_none() {
                continue;
            }
            let mut lines = String::new();
            for (_, place) in of_kind() {
                let (radius, angle) = (place.ring as f64 * distance, place.angle);
                let above = place.parent.map_or(angle, |parent| places[parent].angle);
                let (inner, middle) = (radius - distance, radius - distance / 2.0);
                let (from, to) = (at(inner, above), at(radius, angle));
                let (bend, end) = (at(middle, above), at(middle, angle));
                let _ = write!(
                    lines,
                    "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                    from.0, from.1, bend.0, bend.1, end.0, end.1, to.0, to.1
                );
            }
            page.element(&format!(
                r#"<path d="{lines}" fill="none" stroke="{line}" stroke-width="{width}"/>"#
            ));
            page.element(&format!(r#"<g fill="{dot}">"#));
            for (node, place) in of_kind() {
                let (x, y) = at(place.ring as f64 * distance, place.angle);
                let name = escaped(&node.name);
                page.element(&format!(
                    r#"<circle cx="{x:.1}" cy="{y:.1}" r="{size}"><title>{name}</title></circle>"#
                ));
            }
            page.element("</g>");
        }
        page.circle(centre, 3.0, &format!(r#"fill="{INK}""#));
        page.y = centre.1 + RADIUS + 12.0;
        page.svg()
    }

    /// The kinds that occur, with their names.
    fn key(&self, page: &mut Page) {
        page.y += 14.0;
        let mut x = MARGIN;
        for (kind, name) in KINDS.into_iter().zip(&self.names) {
            if !self.nodes.iter().any(|node| node.kind == kind) {
                continue;
            }
            let (line, _, size, dot) = kind.look();
            page.line((x, page.y - 4.0), (x + 18.0, page.y - 4.0), line, THIN);
            page.circle((x + 18.0, page.y - 4.0), size, &format!(r#"fill="{dot}""#));
            page.text(x + 28.0, page.y, START, PLAIN, name);
            x += 28.0 + crate::page::width(name, PLAIN.size) + 22.0;
        }
        page.y += 10.0;
    }

    /// The positions of the nodes. Leaves are spread evenly around the circle, other nodes are in the middle of their leaves.
    fn places(&self) -> Vec<Polar> {
        let mut places: Vec<Polar> = Vec::with_capacity(self.nodes.len());
        let mut is_leaf = vec![true; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            // A later node cannot be a parent.
            let parent = node.parent.filter(|parent| *parent < id);
            if let Some(parent) = parent {
                is_leaf[parent] = false;
            }
            let ring = parent.map_or(1, |parent| places[parent].ring + 1);
            places.push(Polar { parent, ring, angle: 0.0, ends: None });
        }
        let leaves = is_leaf.iter().filter(|is_leaf| **is_leaf).count().max(1) as f64;
        let mut leaf = leaves;
        for id in (0..self.nodes.len()).rev() {
            match (is_leaf[id], places[id].ends) {
                (false, Some((first, last))) => places[id].angle = f64::midpoint(first, last),
                _ => {
                    leaf -= 1.0;
                    places[id].angle = (leaf + 0.5) / leaves * TAU;
                }
            }
            let angle = places[id].angle;
            if let Some(parent) = places[id].parent {
                let ends = &mut places[parent].ends;
                *ends =
                    Some(ends.map_or((angle, angle), |(first, last)| (first.min(angle), last.max(angle))));
            }
        }
        places
    }
}

/// The position of a node: its ring, counted from 1, and its angle, clockwise from the top.
struct Polar {
    parent: Option<usize>,
    ring: usize,
    angle: f64,
    /// The angles of the first and the last node below it.
    ends: Option<(f64, f64)>,
}
