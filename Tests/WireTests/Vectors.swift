import Testing
import Workbench

/// The test vectors that `docs/internals/wire-protocol.md` points other implementations to.
struct Vectors {
    let control: [String: [UInt8]]
    let channel: [String: [UInt8]]
    let datagram: [String: [UInt8]]
    let header: [String: [UInt8]]

    init() throws {
        var found: [Substring: [String: [UInt8]]] = [:]
        for line in try Repository.text(of: "Tests/WireTests/Fixtures/vectors.txt").split(separator: "\n")
        where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            try #require(words.count == 3 && words[2].utf8.count.isMultiple(of: 2), "\(line)")
            found[words[0], default: [:]][String(words[1])] = try Self.bytes(words[2])
        }
        control = found["control"] ?? [:]
        channel = found["channel"] ?? [:]
        datagram = found["datagram"] ?? [:]
        header = found["header"] ?? [:]
    }

    private static func bytes(_ hex: Substring) throws -> [UInt8] {
        var (rest, bytes) = (hex, [UInt8]())
        while !rest.isEmpty {
            bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
