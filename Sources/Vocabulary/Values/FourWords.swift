/// Thirty-two bytes as four words, most significant first, for types with many values that are read in a row.
struct FourWords: Hashable {
    static let byteCount = 32

    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    init(loadedFrom bytes: UnsafeRawBufferPointer, at start: Int) {
        func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start + place * 8, as: UInt64.self))
        }
        (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }

    var bytes: [UInt8] {
        let words = (first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian)
        return withUnsafeBytes(of: words) { Array($0) }
    }
}
