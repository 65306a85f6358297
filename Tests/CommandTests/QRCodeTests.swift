import Testing

@testable import huddle

@Suite("A QR code for a telephone")
struct QRCodeTests {
    /// Made by another encoder (qrcode 8.2 from PyPI) with the same version, correction and mask.
    private static let expected = """
        #######..#..###.#..##.#######
        #.....#...###.####.#..#.....#
        #.###.#.###.#####.....#.###.#
        #.###.#..###.####..##.#.###.#
        #.###.#...#...####.##.#.###.#
        #.....#..#...#.###.#..#.....#
        #######.#.#.#.#.#.#.#.#######
        ........###.####.#...........
        ###.#####.##..#..###.##...#..
        ##.#...##.##..#..##...##.#..#
        #.....##.#...#...#..#.#...###
        #.##.#.##..#...#.###....#..#.
        .#.####.....#..#.##...#..#.##
        ...###.#.#.###...##...##.#..#
        .#.####....##.#.###.###..#.##
        ...#....###.###..##..###.#.#.
        ##.##.#....#..#..##...##.#.##
        .##....##..#..#.......##.##.#
        #.#####..#...#..##..#..##..##
        .#..##.#####...#.##.##.###.#.
        #..#..#..##.#..#.########....
        ........##.###...#.##...#.###
        #######.#.###.#.#####.#.##.##
        #.....#.#...#########...##.#.
        #.###.#.##.#..#..#..#####..##
        #.###.#..#.#..#..#...#..#.###
        #.###.#.#....#...##.#...##..#
        #.....#.#.##...####.#.#..#.#.
        #######.#...#..#.##.#...##.##
        """

    @Test("A QR code has the modules that another encoder makes of the same address")
    func modules() throws {
        let code = try #require(QRCode("https://192.168.1.20:41873/#c=482913"))
        let rows = (0..<QRCode.size).map { row in
            String(code.modules[row * QRCode.size..<(row + 1) * QRCode.size].map { $0 ? "#" : "." })
        }
        #expect(rows.joined(separator: "\n") == Self.expected)
    }

    @Test("A QR code fits a terminal of 80 columns and 24 lines, and the longest address fits the code")
    func size() throws {
        let longest = "https://192.168.100.200:65535/#c=482913"
        let lines = try #require(QRCode(longest)).lines
        #expect(lines.count <= 18 && lines.allSatisfy { $0.count <= 35 + "\u{1B}[30;107m\u{1B}[0m".count })
        #expect(QRCode(String(repeating: "a", count: QRCode.byteLimit)) != nil)
        #expect(QRCode(String(repeating: "a", count: QRCode.byteLimit + 1)) == nil)
    }
}
