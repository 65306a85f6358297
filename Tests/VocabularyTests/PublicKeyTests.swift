import Testing
import Vocabulary

@Suite("Public key", .timeLimit(.minutes(5)))
struct PublicKeyTests {
    private static let zeros = String(repeating: "00", count: 30)
    private static let ones = String(repeating: "ff", count: 30)

    @Test(
        "Each of the eight points of small order is refused",
        arguments: [
            "01\(zeros)00", "ec\(ones)7f", "00\(zeros)00", "00\(zeros)80",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        ]
    )
    func smallOrder(_ key: String) {
        #expect(PublicKey(bytes: bytes(key)) == nil)
    }

    @Test(
        "A second encoding of a point is refused",
        arguments: ["01\(zeros)80", "ec\(ones)ff"]
            + (0xED...0xFF).flatMap { ["\(String($0, radix: 16))\(ones)7f", "\(String($0, radix: 16))\(ones)ff"] }
    )
    func secondSpelling(_ key: String) {
        #expect(PublicKey(bytes: bytes(key)) == nil)
    }

    @Test(
        "A key of a machine is unchanged, even if it is close to a refused one",
        arguments: [
            // The first key of RFC 8032, section 7.1.
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "02\(zeros)00", "02\(zeros)80", "eb\(ones)7f", "eb\(ones)ff",
            "fe\(ones)7e", "ed\(ones)80", "ff\(String(repeating: "ff", count: 29))fe7f",
        ]
    )
    func taken(_ key: String) {
        #expect(PublicKey(bytes: bytes(key))?.bytes == bytes(key))
    }

    @Test("A key has exactly 32 bytes", arguments: [0, 31, 33, 64])
    func length(_ count: Int) {
        #expect(PublicKey(bytes: [UInt8](repeating: 9, count: count)) == nil)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap { place in
            UInt8(hexadecimal.dropFirst(place).prefix(2), radix: 16)
        }
    }
}
