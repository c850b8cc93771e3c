//! The animation, read back frame by frame by a decoder that composes it as a viewer does.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gray1_display::animation::{Animation, record};
use gray1_display::{Led, Light, Session};
use gray1_machine::{Driver, Stop};
use test_support::player::{Queens, with_queens};

/// A picture as red, green, blue, and for how many hundredths of a second it is shown.
type Shown = (Vec<[u8; 3]>, u32);

#[test]
fn pictures_that_are_the_same_become_one_and_the_time_is_exact() {
    let mut animation = Animation::new(Vec::new(), 64).unwrap();
    for frame in 0..297 {
        let light = lit(frame / 99 % 2 == 1);
        animation.frame(&light, Duration::from_nanos(35_000_001)).unwrap();
    }
    let frames = decode(&animation.finish().unwrap());
    assert_eq!(frames.len(), 3);
    let delays: Vec<u32> = frames.iter().map(|frame| frame.1).collect();
    assert_eq!(delays, [347, 346, 347]);
    assert_eq!(frames[0].0, frames[2].0);
    assert_ne!(frames[0].0, frames[1].0);
}

#[test]
fn short_flashes_are_averaged_not_lost() {
    let mut animation = Animation::new(Vec::new(), 64).unwrap();
    for flash in 0..100 {
        animation.frame(&lit(flash % 10 == 0), Duration::from_millis(10)).unwrap();
    }
    let flashing = decode(&animation.finish().unwrap());
    let mut animation = Animation::new(Vec::new(), 64).unwrap();
    animation.frame(&lit(false), Duration::from_secs(1)).unwrap();
    let dark = decode(&animation.finish().unwrap());
    assert_eq!(flashing.iter().map(|frame| frame.1).sum::<u32>(), 100);
    assert!(flashing.iter().any(|frame| frame.0 != dark[0].0));
}

#[test]
fn an_hour_of_one_picture_lasts_an_hour() {
    let mut animation = Animation::new(Vec::new(), 32).unwrap();
    animation.frame(&lit(true), Duration::from_secs(3600)).unwrap();
    let bytes = animation.finish().unwrap();
    assert_eq!(decode(&bytes).iter().map(|frame| frame.1).sum::<u32>(), 360_000);
}

#[test]
fn an_animation_without_a_frame_is_still_a_picture() {
    let animation = Animation::new(Vec::new(), 16).unwrap();
    assert_eq!(decode(&animation.finish().unwrap()).len(), 1);
}

/// The composed pictures are those that would have been drawn whole.
#[test]
fn differences_compose_to_the_whole_picture() {
    let mut lights = Vec::new();
    with_queens(|session| {
        for _ in 0..30 {
            session.advance(66 * 3, Duration::MAX).unwrap();
            lights.push(session.take_light());
        }
    });
    let mut animation = Animation::new(Vec::new(), 96).unwrap();
    for light in &lights {
        animation.frame(light, Duration::from_millis(100)).unwrap();
    }
    let frames = decode(&animation.finish().unwrap());
    let mut at = 0;
    for (light, time) in lights.iter().zip((0..).step_by(10)) {
        while frames[..=at].iter().map(|frame| frame.1).sum::<u32>() <= time {
            at += 1;
        }
        let mut alone = Animation::new(Vec::new(), 96).unwrap();
        alone.frame(light, Duration::from_millis(100)).unwrap();
        assert!(frames[at].0 == decode(&alone.finish().unwrap())[0].0, "at {time}0 ms");
    }
}

#[test]
fn a_search_of_twenty_seconds_stays_far_below_a_megabyte() {
    let mut bytes = Vec::new();
    let stop = with_queens(|session| record(session, 10_000, Duration::ZERO, &mut bytes).unwrap());
    assert_eq!(stop, Stop::Halted);
    let time: u32 = decode(&bytes).iter().map(|frame| frame.1).sum();
    assert!((1_900..2_500).contains(&time), "{time}0 ms");
    assert!(bytes.len() < 600_000, "{} bytes", bytes.len());
}

#[test]
fn a_machine_that_is_held_shows_each_result_for_longer_and_the_last_one_at_the_end() {
    let recorded = |hold: u64| {
        let mut bytes = Vec::new();
        let hold = Duration::from_millis(hold);
        with_queens(|session| record(session, 10_000, hold, &mut bytes).unwrap());
        decode(&bytes)
    };
    let time = |frames: &[Shown]| frames.iter().map(|frame| frame.1).sum::<u32>();
    let (free, held) = (recorded(0), recorded(500));
    // 92 solutions and their number, and the LEDs of the halted machine for a second.
    assert!(time(&held).abs_diff(time(&free) + 93 * 50 + 100) < 30, "{} {}", time(&free), time(&held));
    assert!(held.iter().filter(|frame| frame.1 >= 50).count() >= 92);
    let (result, leds) = with_queens(|session| {
        session.advance(u64::MAX, Duration::MAX).unwrap();
        session.take_light();
        (session.output().last_result().expect("there are solutions"), session.take_light())
    });
    let still = |light: &Light| {
        let mut animation = Animation::new(Vec::new(), 192).unwrap();
        animation.frame(light, Duration::from_secs(1)).unwrap();
        decode(&animation.finish().unwrap()).remove(0).0
    };
    assert!(free.last().unwrap().0 == still(&leds), "without a hold, the LEDs as they are");
    assert!(held.last().unwrap().0 == still(&result.light()), "the last solution");
    assert_eq!(held.last().unwrap().1, 300);
}

#[test]
fn an_interrupt_ends_a_recording_and_leaves_a_whole_file() {
    let mut bytes = Vec::new();
    let (mut queens, interrupt) = (Queens::default(), AtomicBool::new(true));
    let mut session = Session::new(Driver::new(&mut queens, &interrupt, &|| Duration::ZERO));
    let stop = record(&mut session, 1_000, Duration::ZERO, &mut bytes).unwrap();
    assert_eq!(stop, Stop::Interrupted);
    assert_eq!(decode(&bytes).len(), 1);
}

fn lit(on: bool) -> Light {
    Light { leds: [[Led { green: f32::from(u8::from(on)), red: 0.0 }; 8]; 8] }
}

fn decode(bytes: &[u8]) -> Vec<Shown> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    let width = usize::from(decoder.width());
    let mut screen = vec![[0; 3]; width * usize::from(decoder.height())];
    let mut shown = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        for (index, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (index % usize::from(frame.width), index / usize::from(frame.width));
            if pixel[3] != 0 {
                let place = (usize::from(frame.top) + y) * width + usize::from(frame.left) + x;
                screen[place] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        shown.push((screen.clone(), u32::from(frame.delay)));
    }
    shown
}
