//! `gray1 dap` tested by an independent client in Python, `conversations.py` beside this file; and the files for
//! editors.

mod highlighting;

use std::path::Path;
use std::process::{Command, Stdio};
use test_support::process::Process;
use test_support::tools::installed;

#[test]
fn the_debug_adapter_serves_editors() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("adapter-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a folder");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapter/conversations.py");
    let mut python = Command::new("python3");
    python.arg("-B").arg(script).args([Path::new(env!("CARGO_BIN_EXE_gray1")), &folder]);
    python.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = Process::start_group(&mut python).output();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.lines().count(), 10, "{said}");
    let _ = std::fs::remove_dir_all(&folder);
}
