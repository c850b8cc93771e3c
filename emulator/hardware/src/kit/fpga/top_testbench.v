// Plays the world around top.v: lets the button go, presses pads and keys, reads the serial line, looks at the matrix.
//
//     iverilog -g2012 top_testbench.v top.v core.v && vvp a.out +bytes=2
//
// Prints each byte that arrives; after +bytes=N of them, and when the matrix has been seen as a whole twice since, what
// it showed: eight rows of green and red, the top one first. With +presses, a pad of each row is pressed after the reset, all in
// different columns, and then each key, for PRESS clocks each and with as many between.

`timescale 1ns / 1ns

module top_testbench;
    localparam BIT = 104, PRESS = 3000;

    reg clock = 0, button = 0;
    reg [7:0] pad_row = 8'hFF, pad_column = 8'hFF;
    reg [6:0] key = 7'h7F;
    always #5 clock = !clock;

    wire transmit;
    wire [7:0] led, row, green, red;
    top machine (
        .clock(clock), .button(button), .key(key), .pad_row(pad_row), .pad_column(pad_column),
        .transmit(transmit), .led(led), .row(row), .green(green), .red(red)
    );

    integer press;
    initial if ($test$plusargs("presses")) begin
        @(posedge button);
        for (press = 0; press < 15; press = press + 1) begin
            repeat (PRESS) @(posedge clock);
            if (press < 8) begin
                pad_row[press] = 0;
                pad_column[3 * press % 8] = 0;
            end else key[press - 8] = 0;
            repeat (PRESS) @(posedge clock);
            pad_row = 8'hFF;
            pad_column = 8'hFF;
            key = 7'h7F;
        end
    end

    integer bytes, received = 0, place, number;
    reg [7:0] value;
    reg [7:0] green_rows [0:7];
    reg [7:0] red_rows [0:7];
    initial begin
        if (!$value$plusargs("bytes=%d", bytes)) bytes = 1;
        repeat (4000) @(posedge clock);
        if (transmit !== 1) $display("the line is not at rest during reset");
        button = 1;
        while (received < bytes) begin
            @(negedge transmit) repeat (BIT / 2) @(posedge clock);
            if (transmit !== 0) $display("a start bit is too short");
            for (place = 0; place < 8; place = place + 1) begin
                repeat (BIT) @(posedge clock);
                value[place] = transmit;
            end
            repeat (BIT) @(posedge clock);
            if (transmit !== 1) $display("a stop bit is missing");
            $display("byte %h", value);
            if (led !== value) $display("the LEDs show %h", led);
            received = received + 1;
        end
        repeat (2 * 8 * 4096) begin
            @(posedge clock) #1;
            if (row & (row - 8'd1)) $display("two rows at once: %b", row);
            for (number = 0; number < 8; number = number + 1) if (row[number]) begin
                green_rows[number] = green;
                red_rows[number] = red;
            end
        end
        for (number = 0; number < 8; number = number + 1)
            $display("row %0d green %h red %h", number, green_rows[number], red_rows[number]);
        $finish(0);
    end
endmodule
