        $readmemh("../verilog/images/{name}.mem", cells);
        for (address = 0; address < {cells}; address = address + 1) begin
            at${name} = address[{line}:0];
            #1 compared = compared + 1;
            if (gives${name} !== cells[address][{bit}:0]) begin
                if (wrong < 10) $display("{name}: cell %h gives %h, and %h is burned", address, gives${name}, cells[address]);
                wrong = wrong + 1;
            end
        end
