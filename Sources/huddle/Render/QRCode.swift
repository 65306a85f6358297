/// The QR code (ISO/IEC 18004) of an address, which a telephone reads from the terminal.
///
/// It is always version 3 with 29 by 29 modules, the lowest level of error correction and mask 0. That is enough for
/// an address.
struct QRCode {
    /// The number of modules in a row.
    static let size = 29
    /// The largest number of bytes of a text.
    static let byteLimit = 53
    private static let dataCount = 55
    private static let checkCount = 15

    /// True for dark modules, row by row.
    private(set) var modules = [Bool](repeating: false, count: size * size)
    private var isFixed = [Bool](repeating: false, count: size * size)

    /// Returns nil if the text is too long.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.byteLimit else { return nil }
        drawFixed()
        place(Self.codewords(of: bytes))
    }

    // MARK: Bytes

    /// Returns the mode and the byte count, the bytes, the padding, and the codewords that correct errors.
    private static func codewords(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func add(_ value: Int, _ count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        add(0b0100, 4)
        add(bytes.count, 8)
        for byte in bytes { add(Int(byte), 8) }
        add(0, 4)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        data += (data.count..<dataCount).map { ($0 - bytes.count) % 2 == 0 ? 0xEC : 0x11 }
        return data + check(of: data)
    }

    /// Returns the remainder of the division by the generator polynomial, in the field of 256 elements.
    private static func check(of data: [UInt8]) -> [UInt8] {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<checkCount {
            var next = generator + [0]
            for (place, factor) in generator.enumerated() { next[place + 1] ^= product(factor, root) }
            generator = next
            root = product(root, 2)
        }
        var rest = data + [UInt8](repeating: 0, count: checkCount)
        for place in data.indices where rest[place] != 0 {
            let factor = rest[place]
            for (offset, coefficient) in generator.enumerated() { rest[place + offset] ^= product(coefficient, factor) }
        }
        return Array(rest.suffix(checkCount))
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, sum) = (UInt16(left), right, UInt16(0))
        while right != 0 {
            if right & 1 == 1 { sum ^= left }
            left <<= 1
            if left & 0x100 != 0 { left ^= 0x11D }
            right >>= 1
        }
        return UInt8(sum)
    }

    // MARK: Modules

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        guard (0..<Self.size).contains(row), (0..<Self.size).contains(column) else { return }
        modules[row * Self.size + column] = isDark
        isFixed[row * Self.size + column] = true
    }

    private mutating func drawFixed() {
        let last = Self.size - 1
        for place in 0..<Self.size {
            set(6, place, place % 2 == 0)
            set(place, 6, place % 2 == 0)
        }
        for (row, column) in [(3, 3), (3, last - 3), (last - 3, 3)] { drawRings(row, column, radius: 4) }
        drawRings(last - 6, last - 6, radius: 2)
        // The format bits: the lowest level of error correction and mask 0, with their own check bits.
        let format = 0b111_0111_1100_0100
        for bit in 0..<15 {
            let isDark = format >> bit & 1 == 1
            let (row, column) = bit < 8 ? (bit < 6 ? bit : bit + 1, 8) : (8, bit == 8 ? 7 : 14 - bit)
            set(row, column, isDark)
            if bit < 8 { set(8, last - bit, isDark) } else { set(last - 14 + bit, 8, isDark) }
        }
        set(last - 7, 8, true)
    }

    /// Draws squares within each other, by which a reader finds the code.
    private mutating func drawRings(_ row: Int, _ column: Int, radius: Int) {
        for down in -radius...radius {
            for right in -radius...radius {
                let ring = max(abs(down), abs(right))
                set(row + down, column + right, radius == 2 ? ring != 1 : ring != 2 && ring != 4)
            }
        }
    }

    /// Fills the free modules in columns of two, from the right, upward and downward in turn.
    private mutating func place(_ codewords: [UInt8]) {
        var bits = codewords.flatMap { byte -> [Bool] in (0..<8).map { byte >> (7 - $0) & 1 == 1 } }[...]
        var isUpward = true
        for right in [28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 5, 3, 1] {
            for step in 0..<Self.size {
                let row = isUpward ? Self.size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * Self.size + column] {
                    let bit = bits.popFirst() ?? false
                    modules[row * Self.size + column] = bit != ((row + column) % 2 == 0)
                }
            }
            isUpward.toggle()
        }
    }

    // MARK: Terminal

    /// The lines for a terminal: black on white, two rows in each line, with the margin that readers need.
    var lines: [String] {
        func isDark(_ row: Int, _ column: Int) -> Bool {
            guard (0..<Self.size).contains(row), (0..<Self.size).contains(column) else { return false }
            return modules[row * Self.size + column]
        }
        return stride(from: -2, to: Self.size + 2, by: 2).map { row in
            let text = (-3..<Self.size + 3).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1B}[30;107m\(text.joined())\u{1B}[0m"
        }
    }
}
