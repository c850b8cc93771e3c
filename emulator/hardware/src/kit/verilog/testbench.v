// Resets the machine, runs it, and prints what `gray1 run --trace` writes: a row for each instruction, with the state
// before it runs, until the machine halts.
//
//     iverilog -g2012 testbench.v gray1.v && vvp a.out +cycles=100
//
// +cycles=N is how many rows are printed at most, +seed=N chooses the noise at power-up.

`timescale 1ns / 1ns

module testbench;
    localparam PHASE = 10000; // longer than anything takes to settle
    localparam RESET_PHASES = 16;

    reg oscillator = 0, reset = 1;
    gray1 machine ({inputs});

    wire [1:0] sequence_state = {sequence};
    wire [11:0] counter = {counter};
    wire [15:0] word = {word};
    wire [7:0] accumulator = {accumulator};
    wire carry = {carry};

    // The number whose Gray code is in the counter.
    reg [11:0] place;
    integer bit_number;
    always @* begin
        place[11] = counter[11];
        for (bit_number = 10; bit_number >= 0; bit_number = bit_number - 1)
            place[bit_number] = place[bit_number + 1] ^ counter[bit_number];
    end

    integer cycles, cycle = 0, phases;
    reg [11:0] counter_before;
    reg halted = 0;
    initial begin
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 1000;
        // The button is let go while the slaves are open: a machine without a synchronised reset starts at 0 as well.
        for (phases = 0; phases < RESET_PHASES || sequence_state != 2'b10; phases = phases + 1) begin
            if (phases == 2 * RESET_PHASES) begin
                $display("the sequencer does not run");
                $finish(0);
            end
            #PHASE oscillator = !oscillator;
            #(PHASE / 2);
        end
        reset = 0;
        #PHASE oscillator = !oscillator;
        #PHASE $display("cycle,pc,word,a,c");
        while (cycle < cycles && !halted) begin
            $display("%0d,%h,%h,%h,%b", cycle, place, word, accumulator, carry);
            counter_before = counter;
            repeat (4) begin
                oscillator = !oscillator;
                #PHASE;
            end
            halted = counter == counter_before;
            cycle = cycle + 1;
        end
        $finish(0);
    end
endmodule
