// A person at a machine that may have a fault: holds reset, lets go of it, and presses what the LEDs ask for.
//
// Prints a line for each byte that a receiver takes, with the LEDs at that time, and one for the end:
//
//     B aa 0123…
//     E 0123…
//
// `capture.csv` is what an analyser sees that is clipped on the headers of the CPU: a row for each phase.

`timescale 1ns / 1ns

module bench;
    localparam PHASE = 1250;       // 400 kHz
    localparam RESET_PHASES = 16;
    localparam REACTION = 25;      // cycles
    localparam PRESS = 50;
    localparam PATIENCE = 1500;    // cycles without a byte, after which the person gives up
    localparam MOST_CYCLES = 6000;
    localparam MOST_BYTES = 600;
    localparam RECORDED = 1500;    // cycles, before anything is asked for

    reg oscillator = 0, reset = 1;
    reg [7:0] column = 0, row = 0;
    reg [6:0] keys = 0;
    gray1 machine (INPUTS);

    wire [127:0] leds = ~{LEDS}; // 0 is lit; red rows, then green ones, the lowest row first

    integer silent = 0, bytes = 0;
    always @(negedge machine.OUTE) if (!reset) begin
        $display("B %h %h", {OUTPUTS}, leds);
        silent = 0;
        bytes = bytes + 1;
    end

    // What the LEDs ask for: one in amber is a pad; two in a column, at the top and at the bottom, are a key.
    reg [7:0] asked_column, asked_row;
    reg [6:0] asked_keys;
    reg is_asked;
    integer r, k, lit;
    always @* begin
        {asked_column, asked_row, asked_keys} = 0;
        lit = 0;
        for (r = 0; r < 8; r = r + 1) for (k = 0; k < 8; k = k + 1) if (leds[8 * r + k]) begin
            lit = lit + 1;
            asked_row = asked_row | 1 << r;
            asked_column = asked_column | 1 << k;
        end
        is_asked = leds[63:0] == leds[127:64] && lit == 1;
        if (leds[63:0] == leds[127:64] && lit == 2 && asked_row == 8'h81 && leds[7:0] == leds[63:56] && !leds[7]) begin
            is_asked = 1;
            asked_keys = leds[6:0];
            {asked_column, asked_row} = 0;
        end
    end

    reg [22:0] wanted = 0;
    integer since = 0;
    task look; begin
        since = since + 1;
        if (wanted != (is_asked ? {asked_column, asked_row, asked_keys} : 23'b0)) begin
            wanted = is_asked ? {asked_column, asked_row, asked_keys} : 23'b0;
            since = 0;
        end
        if (wanted != 0 && since == REACTION) {column, row, keys} = wanted;
        if (since == REACTION + PRESS) {column, row, keys} = 0;
    end endtask

    integer phases, cycle = 0, capture;
    initial begin
        capture = $fopen("capture.csv", "w");
        $fdisplay(capture, "HEADER");
        for (phases = 0; phases < RESET_PHASES || phases < 2 * RESET_PHASES && {machine.S1, machine.S0} != 2'b10;
            phases = phases + 1) begin
            #PHASE oscillator = !oscillator;
            #(PHASE / 2);
        end
        reset = 0;
        #PHASE oscillator = !oscillator;
        #(PHASE - 1);
        while (cycle < MOST_CYCLES && silent < PATIENCE && bytes < MOST_BYTES) begin
            look;
            repeat (4) begin
                if (cycle < RECORDED) $fdisplay(capture, FORMAT, RECORD);
                #1 oscillator = !oscillator;
                #(PHASE - 1);
            end
            cycle = cycle + 1;
            silent = silent + 1;
        end
        $display("E %h", leds);
        $fclose(capture);
        $finish(0);
    end
endmodule
