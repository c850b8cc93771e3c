//! The interface for JavaScript: a class `Page` as here, and the message of a panic.

use std::panic;
use std::sync::Mutex;
use wasm_bindgen::prelude::wasm_bindgen;

/// The message of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// A machine on a page.
#[wasm_bindgen]
pub struct Page(crate::Page);

#[wasm_bindgen]
impl Page {
    /// A page without a program.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Page {
        panic::set_hook(Box::new(|information| {
            if let Ok(mut text) = PANIC.lock() {
                *text = information.to_string();
            }
        }));
        Page(crate::Page::new())
    }

    /// Answers a request.
    pub fn ask(&mut self, request: &str) -> String {
        self.0.ask(request)
    }

    /// The bytes that the last request has made in addition to its answer.
    pub fn take(&mut self) -> Vec<u8> {
        self.0.take()
    }
}

/// Panics, to test how a panic is reported: no button of the page leads here.
#[wasm_bindgen]
pub fn panic_with(text: &str) {
    panic!("{text}");
}

/// Why the last call trapped. After a panic, nothing else must be called.
#[wasm_bindgen]
pub fn last_panic() -> String {
    PANIC.lock().map(|text| text.clone()).unwrap_or_default()
}
