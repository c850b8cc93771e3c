//! `gray1 tree`: the trees of shipped programs, and invalid arguments.

use crate::support::Folder;
use serde_json::{Value, json};
use test_support::programs;

/// Returns the nodes of the tree of a shipped program.
fn nodes(program: &str, more: &[&str]) -> Vec<Value> {
    let folder = Folder::new();
    let path = programs::folder().join(program);
    let arguments = [&["tree", path.to_str().unwrap(), "--format", "json"], more].concat();
    let tree: Value = serde_json::from_str(&folder.gray1(&arguments).succeeds().stdout).unwrap();
    tree["nodes"].as_array().unwrap().clone()
}

fn count(nodes: &[Value], outcome: &str) -> usize {
    nodes.iter().filter(|node| node["outcome"] == outcome).count()
}

/// Lists the choices on the path to each solution, in the notation of the program's output.
fn solutions(nodes: &[Value]) -> Vec<String> {
    let path = |last: &Value| {
        let mut node = last;
        let mut choices = Vec::new();
        loop {
            choices.push((node["choice"].as_u64().unwrap() + 1).to_string());
            let Some(parent) = node["parent"].as_u64() else { break };
            node = &nodes[parent as usize];
        }
        choices.iter().rev().map(String::as_str).collect::<String>()
    };
    nodes.iter().filter(|node| node["outcome"] == "solution").map(path).collect()
}

/// The counts equal the output of the programs and of `gray1 compare`.
#[test]
fn all_queens_programs_give_the_same_solutions_as_trees() {
    let queens = nodes("queens.g1", &[]);
    assert_eq!((queens.len(), count(&queens, "cut")), (1_724, 560));
    let bits = nodes("queens-bits.g1", &[]);
    assert_eq!((bits.len(), count(&bits, "cut")), (2_056, 0)); // including the empty board
    let array = nodes("queens-array.g1", &[]);
    assert_eq!((array.len(), count(&array, "cut")), (15_720, 13_664));
    let any = nodes("nqueens.g1", &["-D", "PRINT=0"]);
    assert_eq!(any.len(), 2_056);

    let found = solutions(&queens);
    assert_eq!((found.len(), found[0].as_str(), found[91].as_str()), (92, "15863724", "84136275"));
    for other in [bits, array, any] {
        assert_eq!(solutions(&other), found);
    }
}

#[test]
fn a_sudoku_is_also_a_tree() {
    let nodes = nodes("sudoku.g1", &[]);
    assert_eq!(count(&nodes, "solution"), 1);
    // Each node on the path to the solution is a cell that the puzzle leaves open.
    let path_length = nodes.iter().filter(|node| node["solutions"] == 1).count();
    assert_eq!(path_length, 55);
    assert!(nodes.iter().all(|node| node["source"].as_str().unwrap().contains(".g1:")));
}

/// The cycles of each node lie within those of its parent, and each node counts those below it.
#[test]
fn nodes_lie_within_their_parents() {
    let nodes = nodes("queens.g1", &[]);
    let number = |node: &Value, name: &str| node[name].as_u64().unwrap();
    let mut below = vec![0; nodes.len()];
    for node in nodes.iter().rev() {
        let id = number(node, "id") as usize;
        assert_eq!(number(node, "below"), below[id]);
        assert!(number(node, "cycle") < number(node, "end"));
        let Some(parent) = node["parent"].as_u64() else { continue };
        below[parent as usize] += below[id] + 1;
        let parent = &nodes[parent as usize];
        assert_eq!(number(parent, "level") + 1, number(node, "level"));
        assert!(
            number(parent, "cycle") < number(node, "cycle") && number(node, "end") <= number(parent, "end")
        );
    }
}

#[test]
fn endless_searches_are_truncated() {
    let folder =
        Folder::with("_choice0 = n\n.ram n\n_position0:\n lda n\n add #1\n sta n\n jmp _position0\n");
    let outcome = folder.gray1("tree p.g1 --max-nodes 3").succeeds();
    assert!(
        outcome.stdout.starts_with("3 nodes, 2 dead ends, 1 not finished; there are more"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stderr.contains("raise `--max-nodes` to record them"), "{}", outcome.stderr);
    let outcome = folder.gray1("tree p.g1 --max-cycles 9");
    assert_eq!((outcome.code, outcome.stdout.lines().count()), (Some(3), 4), "{}", outcome.stdout);
    let outcome = folder.gray1("tree p.g1 --max-cycles 9 --format json").ends_with(3);
    let tree: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&tree["complete"], &tree["nodes"][2]["outcome"]), (&json!(false), &json!("not finished")));
}

#[test]
fn programs_without_markers_are_rejected() {
    let cases = [
        ("halt: jmp halt\n", "p.g1: the program does not say where the nodes of its search begin"),
        ("_position:\nhalt: jmp halt\n", "p.g1: `_position` does not say the level of its nodes"),
        ("_position1:\nhalt: jmp halt\n", "p.g1: `_position1` does not say the choice of its nodes"),
        ("_position1_1:\n_level = 5\nhalt: jmp halt\n", "p.g1: `_level` has to be a byte of RAM"),
    ];
    for (source, expected) in cases {
        let folder = Folder::with(source);
        let outcome = folder.gray1("tree p.g1");
        outcome.fails(1, &[expected]);
        assert_eq!(folder.names(), ["p.g1"]);
    }
    Folder::with(cases[0].0).gray1("tree p.g1 --engine isa").fails(2, &["leave out --engine"]);
}
