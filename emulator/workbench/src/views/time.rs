//! The timeline: the known part of the run, from left to right.

use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::state::time::TimeScale;
use crate::theme::Ink;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let scale = TimeScale::new(&state.machine, canvas.width());
    let [past, now, future, past_stop, future_stop, halt] = canvas.theme.symbols.time;
    canvas.text(1, 0, &scale.first_label, Ink::Dim);
    canvas.text(scale.start + scale.length + 1, 0, &scale.last_label, Ink::Dim);
    let current = scale.column_of(state.machine.position.cycle);
    let stops: Vec<usize> = state.time.stops.iter().map(|stop| scale.column_of(stop.cycle)).collect();
    let ends_in_halt = state.time.halt.is_some_and(|halt| halt.cycle == scale.last);
    for column in 0..scale.length {
        let is_stop = stops.contains(&column);
        let (symbol, ink) = match column {
            _ if column == current => (now, Ink::Changed),
            _ if column + 1 == scale.length && ends_in_halt => (halt, Ink::Title),
            _ if column < current => (if is_stop { past_stop } else { past }, Ink::Title),
            _ => (if is_stop { future_stop } else { future }, Ink::Dim),
        };
        canvas.text(scale.start + column, 0, symbol, ink);
    }
}
