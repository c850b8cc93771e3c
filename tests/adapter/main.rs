//! `gray1 dap` with a client on the other end of the wire, written in Python: `conversations.py` beside this file.

mod highlighting;

use std::path::Path;
use std::process::Command;

#[test]
fn editors_are_served() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("adapter-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapter/conversations.py");
    let output = Command::new("python3")
        .arg("-B")
        .arg(script)
        .args([Path::new(env!("CARGO_BIN_EXE_gray1")), &folder])
        .output();
    let Ok(output) = output else {
        assert!(std::env::var_os("CI").is_none(), "Python 3 is needed to test the server for editors");
        println!("skipped: python3 is not there");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), 10, "{said}");
    let _ = std::fs::remove_dir_all(&folder);
}
