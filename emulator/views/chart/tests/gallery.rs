//! The example draws one chart of each kind.

use roxmltree::Document;
use std::fs;
use std::path::Path;
use std::process::Command;
use test_support::example;
use test_support::process::output;

#[test]
fn the_gallery_is_drawn() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let drawn = output(Command::new(example("gallery")).arg(folder));
    assert!(drawn.status.success(), "{drawn:?}");
    for (name, class, count) in
        [("bars", "bar", 3), ("curves", "curve", 2), ("map", "cell", 64), ("lanes", "event", 3)]
    {
        let svg = fs::read_to_string(folder.join(name).with_extension("svg")).unwrap();
        let document = Document::parse(&svg).expect("XML");
        let drawn = document.descendants().filter(|node| node.attribute("class") == Some(class)).count();
        assert_eq!(drawn, count, "{name}");
    }
}
