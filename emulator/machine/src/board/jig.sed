# Makes of built.ron a board that has the jig beside the machine: a counter on the oscillator, with filters, and a latch
# that nothing opens, without. Only the latch shows transients.
s|, transients: (in_a_billion: 300, half_longer: 2)),$|),|
s|^    parts: {|&\n        "bare": Rom(address: 17, data: 8, about: "no filters behind it"),|
s|^    timing: {|&\n        "bare": (access: (28, 70), inertia: 4, resistance: 0, transients: (in_a_billion: 300, half_longer: 2)),|
s|^    inputs: \[|&\n        (nets: "LOW", about: "ground"),|
s|^    nets: \[|&\n        (nets: "J0-6 L0-7", about: "counter and latch of the jig"),|
s|^    chips: \[|&\n        Rom(name: "JIGC", part: "SST39SF010A-70", burn: CounterHigh, address: "J0-5 LOW LOW LOW LOW LOW LOW LOW OSC", data: "J0-6"),\n        Rom(name: "JIGT", part: "bare", burn: Latch, address: "J0-6 J6 L0-7 LOW", data: "L0-7"),|
