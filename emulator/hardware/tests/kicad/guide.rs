//! The guide for the workbench, in a browser: what lights up together, ticks, stages, and links.

#![allow(clippy::unwrap_used)] // a test may panic

use gray1_hardware::kicad::guide;
use gray1_hardware::kit::{Assembly, bring_up_stages, sockets};
use gray1_isa::Image;
use gray1_machine::board::Board;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use test_support::process::output;
use test_support::tools::installed;

/// What somebody does on the page, and what is seen then.
const VISIT: &str = r##"
<pre id="seen"></pre>
<script>
(async () => {
  const lit = (all) => [...all].filter((one) => one.classList.contains("lit")).map((one) => one.dataset.ref);
  const shown = (all) => [...all].filter((one) => !one.hidden).map((one) => one.dataset.ref ?? one.dataset.net);
  const type = (id, text, kind) => { byId(id).value = text; byId(id).dispatchEvent(new Event(kind)); };
  const seen = { opened: [lit(rows.values()), lit(places.values()), byId("net").value, byId("stage").value], places: [...places.keys()] };
  places.get("TGL").dispatchEvent(new MouseEvent("click"));
  seen.place = [lit(rows.values()), lit(places.values())];
  rows.get("RAM").querySelector("button").click();
  seen.row = [lit(rows.values()), lit(places.values())];
  type("net", "A3", "input");
  seen.pins = [...byId("pins").children].map((pin) => pin.textContent);
  seen.pads = document.querySelectorAll("circle.lit").length;
  type("stage", "3", "change");
  seen.stage = shown(rows.values());
  seen.about = byId("about").textContent;
  seen.measurements = shown(checks.values());
  seen.first = checks.get("3:PC0").textContent;
  seen.wrong = [byId("tried").textContent, byId("symptoms").rows[0].textContent];
  type("stage", "", "change");
  type("find", "padrow2", "input");
  seen.found = shown(rows.values());
  rows.get("PCL").querySelector("input").click();
  checks.get("3:PC0").querySelector("input").click();
  seen.ticked = [places.get("PCL").classList.contains("done"), byId("count").textContent];
  try { seen.kept = JSON.parse(localStorage.getItem(KEY)); } catch { seen.kept = null; }
  HTMLAnchorElement.prototype.click = function () { seen.saved = decodeURIComponent(this.href.split(",").slice(1).join(",")); };
  byId("export").click();
  const load = async (text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "ticks.json"));
    byId("import").files = files.files;
    byId("import").dispatchEvent(new Event("change"));
    const before = byId("count").textContent;
    for (let turn = 0; turn < 2000 && byId("count").textContent === before; turn++) await new Promise((done) => setTimeout(done, 5));
  };
  await load("{\"done\":[\"PCH\",\"X1\",\"3:PC0\"]}");
  seen.loaded = [...rows].filter(([, row]) => row.classList.contains("done")).map(([ref]) => ref);
  await load("{\"machine\":\"no ticks\"}");
  seen.refused = byId("count").textContent;
  byId("seen").textContent = JSON.stringify(seen);
})();
</script>
"##;

/// Opens the page in a browser; returns what is seen.
fn visit(page: &str) -> Value {
    let folder = std::env::temp_dir().join(format!("gray1-guide-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("index.html");
    fs::write(&path, page.replace("</html>", &format!("{VISIT}</html>"))).unwrap();
    let address = format!("file://{}#stage=2&net=PC0&part=SEQ", path.display());
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let outcome = output(Command::new("chromium").args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=20000",
        &profile,
        "--dump-dom",
        &address,
    ]));
    fs::remove_dir_all(&folder).unwrap();
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let seen = text.split_once("<pre id=\"seen\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let seen = seen.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&outcome.stderr))).0;
    serde_json::from_str(seen).unwrap_or_else(|error| panic!("{error}: {seen}"))
}

#[test]
fn a_part_its_row_and_its_place_light_up_together() {
    if !installed(&["chromium"]) {
        return;
    }
    let board = Board::built();
    let assembly = Assembly::new(&board).unwrap();
    let sockets = sockets(&board, &Image::blank()).unwrap();
    let stages = bring_up_stages(&board, &sockets, &assembly);
    let file = guide(&board, &assembly, &stages);
    let page = String::from_utf8(file.bytes).unwrap();
    // It fetches nothing.
    assert_eq!(file.name, "guide/index.html");
    let page_alone = page.replace("http://www.w3.org/2000/svg", "");
    assert!(["http:", "https:", "url(", "src="].iter().all(|word| !page_alone.contains(word)));
    let seen = visit(&page);

    assert_eq!(seen["opened"], serde_json::json!([["SEQ"], ["SEQ"], "PC0", "2"]));
    assert_eq!(seen["place"], serde_json::json!([["TGL"], ["TGL"]]));
    assert_eq!(seen["row"], serde_json::json!([["RAM"], ["RAM"]]));
    // All that is on a board has a place; all pins of a net light up.
    let items = || assembly.items.iter().filter(|item| item.board.is_some() && !item.pins.is_empty());
    let words = |value: &Value| -> BTreeSet<String> {
        value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words(&seen["places"]), items().map(|item| item.reference.clone()).collect());
    let pins = items().flat_map(|item| item.pins.iter().map(move |pin| (item, pin)));
    let pins = pins.filter(|(_, pin)| pin.net.as_deref() == Some("A3"));
    let pins: BTreeSet<String> =
        pins.map(|(item, pin)| format!("{} pin {} {} (A3)", item.reference, pin.number, pin.name)).collect();
    assert_eq!(words(&seen["pins"]), pins);
    assert_eq!(seen["pads"], pins.len());
    // A stage has its chips, and the measurements of the guide.
    assert_eq!(words(&seen["stage"]), ["FLAGS", "PCL", "PCH"].map(str::to_owned).into());
    assert!(seen["about"].as_str().unwrap().contains("With power off, insert FLAGS PCL PCH."));
    assert!(seen["about"].as_str().unwrap().contains("holds TAKE (ALUH pin 19) at 0"));
    let nets = |stage: usize| stages[stage].measurements.iter().map(|one| one.net.clone()).collect();
    assert_eq!(words(&seen["measurements"]), nets(2));
    assert_eq!(
        seen["first"],
        "PC0PCL pin 131024 rises in a turn, 50.00 kHz with an oscillator of 400 kHz; at 1 for 50.0 %"
    );
    let wrong = &stages[2].symptoms[0];
    let tried = format!(
        "{} faults of single pins and chips were tried; {} of them change nothing here.",
        stages[2].tried, stages[2].unseen
    );
    assert_eq!(
        seen["wrong"],
        serde_json::json!([tried, format!("{}{}{}", wrong.net, wrong.shows, wrong.causes)])
    );
    let found = words(&seen["found"]);
    assert!(found.contains("PMUX") && !found.contains("KMUX"), "{found:?}");
    let measurements: usize = stages.iter().map(|stage| stage.measurements.len()).sum();
    assert_eq!(
        seen["ticked"],
        serde_json::json!([true, format!("2 of {} done", items().count() + measurements)])
    );
    assert_eq!(seen["kept"], serde_json::json!({"PCL": true, "3:PC0": true}));
    let saved: Value = serde_json::from_str(seen["saved"].as_str().unwrap()).unwrap();
    assert_eq!(saved, serde_json::json!({"machine": board.name, "done": ["3:PC0", "PCL"]}));
    assert_eq!(words(&seen["loaded"]), ["PCH", "X1"].map(str::to_owned).into());
    assert!(seen["refused"].as_str().unwrap().starts_with("This file has no ticks"));
}
